import type { OutboundDialer, OutboundOutcome } from "@svc/outbound/outbound-dialer";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { AttemptOutcome } from "./destination.ts";

export interface SendingParts {
  readonly dialer: Pick<OutboundDialer, "send">;
  readonly clock: MonotonicClock & WallClock;
  /** Ends an attempt early. */
  readonly signal?: AbortSignal;
}

/** Milliseconds for one attempt in all, from the name of the receiver to the end of its answer. */
const DEADLINE_MS = 15_000;

/** Bytes of an answer that are read. A receiver that sends more is cut off, and has confirmed anyway. */
const ANSWER_BYTES = 64 * 1024;

/** Bytes of an answer that are kept for who looks for the cause of a failure. */
const SHOWN_ANSWER = 1_024;

/** Sends one request once. Never rejects because of the receiver. */
export async function sendRequest(
  { dialer, clock, signal }: SendingParts,
  request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly pool?: string;
  },
): Promise<AttemptOutcome> {
  const startedMs = clock.nowMs();
  const limits = { deadlineMs: DEADLINE_MS, maxBytes: ANSWER_BYTES, ...(signal ? { signal } : {}) };
  const outcome = await dialer.send({ ...request, method: "POST", ...limits });
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
      const answer = shownAnswer(body);
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

/** What can turn a line around, or is not a character at all. PostgreSQL has no text with a NUL. */
const DISGUISE = /(?![\n\r\t])[\p{Cc}\p{Cf}]/gu;

/**
 * The begin of an answer as text. A receiver may repeat what it was sent.
 * @param secrets what the request carried and the answer must not show
 */
export function shownAnswer(body: Uint8Array, secrets: readonly string[] = []): string {
  const whole = new TextDecoder().decode(body);
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), whole);
  const begin = new TextEncoder().encode(hidden).subarray(0, SHOWN_ANSWER);
  return new TextDecoder().decode(begin, { stream: true }).replaceAll(DISGUISE, "\ufffd");
}

/** The secrets of a header `authorization`: all of it, and what stands behind the name of its scheme. */
export function secretsOf(authorization: string | undefined): readonly string[] {
  if (authorization === undefined || authorization === "") return [];
  const behind = authorization.slice(authorization.indexOf(" ") + 1).trim();
  return behind === "" ? [authorization] : [authorization, behind];
}

/** RFC 9110: seconds, or a time. @returns milliseconds; null for what is neither */
export function retryAfter(header: string | string[] | undefined, nowMs: number): number | null {
  if (typeof header !== "string") return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(atMs - nowMs, 0);
}
