import type { WebhookRecord } from "@svc/contract/webhook";
import type { WebhookTest } from "@svc/contract/webhook-delivery";
import type { WebhookType } from "@svc/contract/webhook-event";
import type { WaitingDelivery } from "@svc/store/ports/delivery-store";
import type { EventRow } from "@svc/store/ports/event-rows";

/** An endpoint with its organization. */
export interface OwnedWebhook {
  readonly org: string;
  readonly record: WebhookRecord;
}

/** What the sender of deliveries does for an operation. */
export interface WebhookSending {
  /** Sends a sample once, now. Rejects when the secret cannot be read. */
  test(webhook: OwnedWebhook, type: WebhookType): Promise<WebhookTest>;
  /** The deliveries of rows to an endpoint, as if each was due at `nowMs`. */
  deliveriesOf(webhook: OwnedWebhook, rows: readonly EventRow[], nowMs: number): readonly WaitingDelivery[];
}
