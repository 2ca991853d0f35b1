import type { WebhookEvent } from "@svc/contract/webhook-event";
import type { Piece } from "../frame/text.ts";
import { type Delivery, isDelivered } from "./send-webhook.ts";

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
