import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import type { IntegrationRecord, PublicSettings } from "@svc/contract/integration-record";
import type { IntegrationRow } from "@svc/contract/integration-row";
import { maskSecretsInText } from "@svc/engine/mask-secrets";

interface IntegrationRowFacts
  extends Pick<IntegrationRow, "action" | "org" | "principal" | "time" | "secret_changed"> {
  readonly record: IntegrationRecord;
}

/** The audit row of a change of an integration, as text to store. */
export function integrationRow({ record, ...facts }: IntegrationRowFacts): string {
  const { id, settings, name, disabled_at } = record;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "integration",
    ...facts,
    integration_id: id,
    integration_kind: settings.kind,
    name: maskSecretsInText(name),
    origin: maskSecretsInText(originOf(settings)),
    enabled: disabled_at === null,
  });
}

/** Where it leads, without what can be secret. */
export function originOf(settings: PublicSettings): string {
  return settings.kind === "syslog"
    ? `tls://${settings.host}:${String(settings.port)}`
    : new URL(settings.url).origin;
}
