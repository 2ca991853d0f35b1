import { signWebhook } from "@svc/contract/sign-webhook";
import { renderWebhookBody } from "@svc/contract/webhook-events-of-row";
import type { AttemptOutcome, Sendable } from "./destination.ts";
import { type SendingParts, sendRequest } from "./send-request.ts";

/** Where webhooks are sent. */
export interface WebhookAddress {
  readonly url: string;
  /** The one that signs `X-Svc-Signature-256` first. */
  readonly secrets: readonly [string, ...string[]];
  /** Of its connections; left out: those of everybody without one. */
  readonly pool?: string;
}

/** Sends one delivery once, signed. Never rejects because of the receiver. */
export async function sendDelivery(
  parts: SendingParts,
  { url, secrets, pool = "" }: WebhookAddress,
  { id: deliveryId, event }: Sendable,
): Promise<AttemptOutcome> {
  const body = renderWebhookBody(event);
  const nowS = parts.clock.now().getTime() / 1_000;
  const headers = await signWebhook({ event, body, deliveryId, secrets, nowS });
  return sendRequest(parts, { url, headers, body, pool });
}
