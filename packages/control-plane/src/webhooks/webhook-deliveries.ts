import type { Principal } from "@svc/contract/principal";
import type { DeliveryStatus, WebhookDelivery, WebhookTest } from "@svc/contract/webhook-delivery";
import type { WebhookType } from "@svc/contract/webhook-event";
import type { DeliveryAttempt, WaitingDelivery } from "@svc/store/ports/delivery-store";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, readPage } from "../call-store.ts";
import type { Outcome } from "../refusal.ts";
import { readWebhook } from "./change-webhook.ts";
import { timeOf } from "./webhook-health.ts";
import type { WebhookPorts } from "./webhook-ports.ts";

interface DeliveryQuestion {
  readonly id: string;
  /** Null: every attempt. */
  readonly status: DeliveryStatus | null;
  /** Unix milliseconds. */
  readonly sinceMs: number;
  readonly page: PageRequest;
}

/** Attempts, newest first, or deliveries that wait or are dead. */
export async function listWebhookDeliveries(
  ports: Pick<WebhookPorts, "log" | "webhooks" | "deliveries">,
  { org }: Principal,
  { id, status, sinceMs, page }: DeliveryQuestion,
): Promise<Outcome<Page<WebhookDelivery>>> {
  const found = await readWebhook(ports, org, id);
  if (found.kind === "problem") return found;
  const { deliveries } = ports;
  if (status === "waiting" || status === "dead") {
    const filter = { isDead: status === "dead", sinceMs };
    return shownPage(await readPage(ports, page, () => deliveries.waiting(id, filter, page)), waitingView);
  }
  const filter = { failed: status === null ? null : status === "failed", sinceMs };
  return shownPage(await readPage(ports, page, () => deliveries.attempts(id, filter, page)), attemptView);
}

const NOT_SENT =
  "Nothing was sent, because the secret of the webhook could not be read. The log of the server says why.";

/** Sends a sample now, whatever the endpoint takes, and says what the receiver answered. */
export async function testWebhook(
  ports: Pick<WebhookPorts, "log" | "webhooks" | "webhookSending">,
  { org }: Principal,
  { id, type }: { readonly id: string; readonly type: WebhookType },
): Promise<Outcome<WebhookTest>> {
  const found = await readWebhook(ports, org, id);
  if (found.kind === "problem") return found;
  return callStore(ports, NOT_SENT, () => ports.webhookSending.test({ org, record: found.value }, type));
}

function shownPage<Item>(
  found: Outcome<Page<Item>>,
  view: (item: Item) => WebhookDelivery,
): Outcome<Page<WebhookDelivery>> {
  if (found.kind === "problem") return found;
  return { kind: "ok", value: { ...found.value, items: found.value.items.map(view) } };
}

function attemptView(attempt: DeliveryAttempt): WebhookDelivery {
  const { deliveryId: id, eventId, type, atMs, latencyMs, status, fault, answer } = attempt;
  return {
    id,
    event_id: eventId,
    event: type,
    status: fault === null ? "delivered" : "failed",
    attempted_at: timeOf(atMs),
    latency_ms: latencyMs,
    response_status: status,
    response: status === null ? null : answer,
    fault,
    attempts: null,
    next_attempt_at: null,
  };
}

function waitingView({ id, eventId, type, attempts, nextAtMs }: WaitingDelivery): WebhookDelivery {
  return {
    id,
    event_id: eventId,
    event: type,
    status: nextAtMs === null ? "dead" : "waiting",
    attempted_at: null,
    latency_ms: null,
    response_status: null,
    response: null,
    fault: null,
    attempts,
    next_attempt_at: timeOf(nextAtMs),
  };
}
