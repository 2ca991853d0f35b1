import { randomBytes } from "node:crypto";
import { resolve } from "node:path/posix";
import { isWebhookSecret, newWebhookSecret, signWebhook } from "@svc/contract/sign-webhook";
import type { WebhookEvent } from "@svc/contract/webhook-event";
import { renderWebhookBody } from "@svc/contract/webhook-events-of-row";
import { faultReason } from "../connection/fault-reason.ts";
import { readKeyFile } from "../connection/read-key.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";

/** Milliseconds that a receiver may take, as when the service delivers. */
const ANSWER_MS = 15_000;

/** Bytes of randomness in the name of a delivery. */
const NAME_BYTES = 8;

/** Where deliveries go, and how they are signed. */
export interface WebhookEndpoint {
  readonly url: URL;
  readonly secret: string;
}

/** What became of one delivery. Only a status from 200 to 299 is a success. */
export interface Delivery {
  readonly delivery_id: string;
  /** Null: no answer came. */
  readonly status: number | null;
  /** Why no answer came; null: one came. */
  readonly fault: string | null;
  readonly ms: number;
}

/**
 * Delivers an event once, as the service does: no redirect is followed.
 * @param over ends the delivery, which is then one without an answer
 */
export async function sendWebhook(
  { url, secret }: WebhookEndpoint,
  event: WebhookEvent,
  over?: AbortSignal,
): Promise<Delivery> {
  const deliveryId = `dlv_${randomBytes(NAME_BYTES).toString("hex")}`;
  const body = renderWebhookBody(event);
  const headers = await signWebhook({
    event,
    body,
    deliveryId,
    secrets: [secret],
    nowS: Date.now() / 1_000,
  });
  const startMs = performance.now();
  const ended = (status: number | null, fault: string | null): Delivery => {
    const ms = Math.round(performance.now() - startMs);
    return { delivery_id: deliveryId, status, fault, ms };
  };
  try {
    const patience = AbortSignal.timeout(ANSWER_MS);
    const signal = over === undefined ? patience : AbortSignal.any([patience, over]);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return ended(response.status, null);
  } catch (error) {
    return ended(null, faultReason(error));
  }
}

export function isDelivered({ status }: Pick<Delivery, "status">): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** One delivery on a line: time, status, event, id, milliseconds. */
export function describeDelivery(
  { type, id, timestamp }: WebhookEvent,
  delivery: Delivery,
): readonly Piece[] {
  const { status, fault, ms } = delivery;
  return [
    `${timestamp.slice(11, 19)}  `,
    { text: status === null ? "---" : String(status), as: isDelivered(delivery) ? "good" : "bad" },
    `  ${type}  ${id}  `,
    ...(fault === null ? [] : [`no answer (${fault})  `]),
    { text: `${String(ms)} ms\n`, as: "dim" },
  ];
}

/** The secret of a file of mode 600, or a new one. @throws CommandFailure `usage` */
export function webhookSecret(
  file: string | undefined,
  { workingDirectory }: Pick<Terminal, "workingDirectory">,
): string {
  if (file === undefined) return newWebhookSecret();
  const secret = readKeyFile(resolve(workingDirectory, file));
  if (isWebhookSecret(secret)) return secret;
  throw new CommandFailure("usage", `${file}: expected whsec_ and Base64, found another text (not shown)`);
}
