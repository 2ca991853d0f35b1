import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import type { WebhookRecord } from "@svc/contract/webhook";
import type { WebhookRow } from "@svc/contract/webhook-row";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";

export interface WebhookRowFacts extends Pick<WebhookRow, "action" | "org" | "principal" | "time"> {
  readonly record: WebhookRecord;
}

/** The audit row of a change of an endpoint, as text to store. */
export function webhookRow({ record, ...facts }: WebhookRowFacts): string {
  const { id, url, events, agents, namespaces, decisions, disabled_at, disabled_reason } = record;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "webhook",
    ...facts,
    webhook_id: id,
    origin: maskSecretsInText(new URL(url).origin),
    events,
    agents: agents?.map(maskSecretsInIdentifier) ?? null,
    namespaces: namespaces?.map(maskSecretsInIdentifier) ?? null,
    decisions,
    enabled: disabled_at === null,
    disabled_reason,
  });
}
