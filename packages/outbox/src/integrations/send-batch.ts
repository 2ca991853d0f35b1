import type { OutboundDialer, OutboundOutcome } from "@svc/outbound/outbound-dialer";
import type { WallClock } from "@svc/process/clock";
import type { BatchOutcome } from "../batches/batch-destination.ts";
import { retryAfter, secretsOf, shownAnswer } from "../send-request.ts";

export interface BatchSendingParts {
  readonly dialer: Pick<OutboundDialer, "send" | "connect" | "secureContext">;
  readonly clock: WallClock;
}

export interface BatchRequest {
  readonly url: string;
  readonly method: "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of its connections. */
  readonly pool: string;
}

/** Milliseconds for one batch in all, from the name of the receiver to the end of its answer. */
export const BATCH_DEADLINE_MS = 30_000;

/** Bytes of an answer that are read. A receiver that sends more is cut off, and has confirmed anyway. */
const ANSWER_BYTES = 64 * 1024;

/** Sends one request. Never rejects because of the receiver. @returns the outcome with the whole answer */
export async function sendBatch(
  { dialer, clock }: BatchSendingParts,
  request: BatchRequest,
  signal: AbortSignal,
): Promise<BatchOutcome & { readonly text: string }> {
  const limits = { deadlineMs: BATCH_DEADLINE_MS, maxBytes: ANSWER_BYTES, signal };
  const outcome = await dialer.send({ ...request, ...limits });
  return outcomeOf(outcome, secretsOf(request.headers["authorization"]), clock.now().getTime());
}

function outcomeOf(
  outcome: OutboundOutcome,
  secrets: readonly string[],
  nowMs: number,
): BatchOutcome & { readonly text: string } {
  const nothing = { refused: 0, status: null, answer: "", text: "", retryAfterMs: null };
  switch (outcome.kind) {
    case "refused":
    case "failed":
      return { ...nothing, kind: "failed", fault: outcome.reason };
    case "answer": {
      const { status, headers, body } = outcome;
      const said = { ...nothing, status, answer: shownAnswer(body, secrets), text: body.toString("utf8") };
      if (status >= 200 && status < 300) return { ...said, kind: "delivered", fault: null };
      const fault = `the receiver answered ${String(status)}`;
      if (status === 413) return { ...said, kind: "too_large", fault };
      return { ...said, kind: "failed", fault, retryAfterMs: retryAfter(headers["retry-after"], nowMs) };
    }
    default:
      return outcome satisfies never;
  }
}

/** The outcome of something that was not sent by HTTP. */
export function failedBatch(fault: string): BatchOutcome {
  return { kind: "failed", refused: 0, status: null, fault, answer: "", retryAfterMs: null };
}
