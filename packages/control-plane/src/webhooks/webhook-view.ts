import type { WebhookAnswer, WebhookRecord } from "@svc/contract/webhook";

/** The record as it is now: the next secret takes over when its time has come. */
export function settledWebhook(record: WebhookRecord, nowMs: number): WebhookRecord {
  const next = record.next_secret;
  return next === null || Date.parse(next.at) > nowMs
    ? record
    : { ...record, secret_id: next.id, next_secret: null };
}

/** An endpoint as it is shown. */
export function webhookView(record: WebhookRecord, nowMs: number): WebhookAnswer {
  const { secret_id: _, next_secret, ...shown } = settledWebhook(record, nowMs);
  return { ...shown, enabled: shown.disabled_at === null, next_secret_at: next_secret?.at ?? null };
}

/** The ids of the secrets that sign, the present one first. */
export function secretIdsOf({ secret_id, next_secret }: WebhookRecord): readonly [string, ...string[]] {
  return next_secret === null ? [secret_id] : [secret_id, next_secret.id];
}
