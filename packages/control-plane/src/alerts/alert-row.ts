import { rowText } from "@svc/audit-log/row-text";
import type { AlertRecord } from "@svc/contract/alert";
import type { AlertRow } from "@svc/contract/alert-row";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";

/** Names what watches conditions, as principal. */
export const ALERT_WATCH = "alert_watch";

/** An alert after a change, with its audit row as text to store. */
export function alertChange(
  { org, principal, action, time }: Pick<AlertRow, "org" | "principal" | "action" | "time">,
  record: AlertRecord,
) {
  const auditRow = rowText({
    v: AUDIT_ROW_VERSION,
    kind: "alert",
    time,
    org,
    principal,
    action,
    alert_id: record.id,
    condition: record.condition,
    severity: record.severity,
    subject: maskSecretsInText(record.subject),
    agent_id: record.agent_id === null ? null : maskSecretsInIdentifier(record.agent_id),
    summary: maskSecretsInText(record.summary),
    details: record.details,
    opened_at: record.opened_at,
    note: record.note === null ? null : maskSecretsInText(record.note),
  });
  return { org, auditRow, record };
}
