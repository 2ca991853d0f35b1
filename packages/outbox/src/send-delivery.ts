import { signWebhook } from "@svc/contract/sign-webhook";
import { renderWebhookBody } from "@svc/contract/webhook-events-of-row";
import type { OutboundDialer, OutboundOutcome } from "@svc/outbound/outbound-dialer";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Delivery } from "./delivery.ts";
import type { Endpoint } from "./endpoint.ts";
import type { AttemptOutcome } from "./endpoint-courier.ts";

export interface DeliveryParts {
  readonly dialer: Pick<OutboundDialer, "send">;
  readonly clock: MonotonicClock & WallClock;
}

/** Milliseconds for one attempt in all, from the name of the receiver to the end of its answer. */
const DEADLINE_MS = 15_000;

/** Bytes of an answer that are read. A receiver that sends more is cut off, and has confirmed anyway. */
const ANSWER_BYTES = 64 * 1024;

/** Characters of an answer that are kept for who looks for the cause of a failure. */
const SHOWN_ANSWER = 1_024;

/** Sends one delivery once, signed. Never rejects because of the receiver. */
export async function sendDelivery(
  { dialer, clock }: DeliveryParts,
  { url, secrets }: Endpoint,
  { id: deliveryId, event }: Delivery,
): Promise<AttemptOutcome> {
  const body = renderWebhookBody(event);
  const nowS = clock.now().getTime() / 1_000;
  const headers = await signWebhook({ event, body, deliveryId, secrets, nowS });
  const startedMs = clock.nowMs();
  const limits = { deadlineMs: DEADLINE_MS, maxBytes: ANSWER_BYTES };
  const outcome = await dialer.send({ url, method: "POST", headers, body, ...limits });
  const latencyMs = Math.round(clock.nowMs() - startedMs);
  return { ...readOutcome(outcome, clock.now().getTime()), latencyMs };
}

function readOutcome(outcome: OutboundOutcome, nowMs: number): Omit<AttemptOutcome, "latencyMs"> {
  const nothing = { status: null, answer: "", retryAfterMs: null };
  switch (outcome.kind) {
    case "refused":
    case "failed":
      return { ...nothing, kind: "failed", fault: outcome.reason };
    case "answer": {
      const { status, headers, body } = outcome;
      const answer = body.toString("utf8").slice(0, SHOWN_ANSWER);
      if (status >= 200 && status < 300)
        return { ...nothing, kind: "delivered", status, answer, fault: null };
      const fault = `the receiver answered ${String(status)}`;
      if (status === 410) return { ...nothing, kind: "gone", status, answer, fault };
      return {
        kind: "failed",
        status,
        answer,
        fault,
        retryAfterMs: retryAfter(headers["retry-after"], nowMs),
      };
    }
    default:
      return outcome satisfies never;
  }
}

/** RFC 9110: seconds, or a time. @returns milliseconds; null for what is neither */
function retryAfter(header: string | string[] | undefined, nowMs: number): number | null {
  if (typeof header !== "string") return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(atMs - nowMs, 0);
}
