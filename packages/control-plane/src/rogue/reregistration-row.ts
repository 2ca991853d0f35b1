import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type SeverityRow } from "@svc/contract/audit-row";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";

/** The severity row of a re-registration, as text to store. Secrets that people wrote are masked. */
export function reregistrationRow(
  row: Omit<SeverityRow, "v" | "kind" | "severity" | "trigger_source" | "missed_heartbeats">,
): string {
  return rowText({
    ...row,
    v: AUDIT_ROW_VERSION,
    kind: "severity",
    severity: "INFO",
    agent_id: maskSecretsInIdentifier(row.agent_id),
    session_id: maskSecretsInIdentifier(row.session_id),
    reason: maskSecretsInText(row.reason),
    trigger_source: "api",
    missed_heartbeats: 0,
  });
}
