import { sampleWebhookEvent } from "@svc/contract/webhook-event";
import { type SealedSecrets, webhookSecretPlace } from "@svc/control-plane/sealed-secrets";
import type { OwnedWebhook, WebhookSending } from "@svc/control-plane/webhook-sending";
import { secretIdsOf, settledWebhook } from "@svc/control-plane/webhook-view";
import { deliveryId, eventsFor } from "@svc/outbox/delivery";
import { endpointDestination } from "@svc/outbox/endpoint";
import { sendDelivery } from "@svc/outbox/send-delivery";
import { systemClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import type { Outbound } from "../start/open-outbound.ts";
import { endpointOf } from "./endpoint-of.ts";

export interface WebhookSendingParts {
  readonly secrets: Pick<SealedSecrets, "get">;
  readonly outbound: Pick<Outbound, "send">;
  readonly digest: (text: string) => string;
}

/** What the sender does for operations of the control API. */
export function openWebhookSending({ secrets, outbound, digest }: WebhookSendingParts): WebhookSending {
  return {
    test: async (webhook, type) => {
      const record = settledWebhook(webhook.record, systemClock.now().getTime());
      const [first, ...rest] = await Promise.all(
        secretIdsOf(record).map(async (id) => secretOf(secrets, webhook, id)),
      );
      if (first === undefined) throw new Error("a webhook has one secret at least");
      const timestamp = systemClock.now().toISOString();
      const event = sampleWebhookEvent(type, { id: randomId("evt_test"), timestamp, org_id: webhook.org });
      const id = deliveryId(digest, record.id, event.id);
      const endpoint = endpointOf({ org: webhook.org, record }, [first, ...rest], 0);
      const parts = { dialer: outbound, clock: systemClock };
      const outcome = await sendDelivery(parts, endpoint, { id, event });
      const { kind, status, answer, fault, latencyMs } = outcome;
      return {
        delivered: kind === "delivered",
        id,
        event_id: event.id,
        event: type,
        latency_ms: latencyMs,
        response_status: status,
        response: status === null ? null : answer,
        fault,
      };
    },
    deliveriesOf: (webhook, rows, nowMs) => {
      const endpoint = endpointOf(webhook, [""], 0);
      const destination = endpointDestination({ dialer: outbound, clock: systemClock }, endpoint);
      return rows.flatMap((row) =>
        (eventsFor(destination, row) ?? []).map(({ id: eventId, type, timestamp }) => ({
          id: deliveryId(digest, endpoint.id, eventId),
          eventId,
          type,
          row: { logId: row.logId, seq: row.seq },
          // The first attempt was made before: the pauses of the schedule go on behind it.
          attempts: 1,
          nextAtMs: nowMs,
          eventAtMs: Date.parse(timestamp),
        })),
      );
    },
  };
}

async function secretOf(
  secrets: Pick<SealedSecrets, "get">,
  { org, record }: OwnedWebhook,
  id: string,
): Promise<string> {
  const secret = await secrets.get(webhookSecretPlace(org, id));
  if (secret === null) throw new Error(`the secret of the webhook ${record.id} is not there`);
  return secret;
}
