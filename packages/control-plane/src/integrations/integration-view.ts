import { INTEGRATION_SECRET_SET, SECRET_FIELDS } from "@svc/contract/integration-kinds";
import type { Integration, IntegrationRecord } from "@svc/contract/integration-record";

/** An integration as it is shown. */
export function integrationView(record: IntegrationRecord): Integration {
  const { settings, secret_id, disabled_at, ...shown } = record;
  const field = SECRET_FIELDS[settings.kind];
  const enabled = settings.kind === "github" ? {} : { enabled: disabled_at === null };
  const secret = field === null ? {} : { [field]: secret_id === null ? null : INTEGRATION_SECRET_SET };
  return { ...shown, ...settings, ...enabled, ...secret };
}
