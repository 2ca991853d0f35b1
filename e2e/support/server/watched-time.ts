import type { WatchSpan } from "@svc/store/ports/supervision-store";

export interface ExpectedStep {
  /** When the agent was heard last, and when somebody watched, by the clock of the store. */
  readonly heardAtMs: number;
  readonly spans: readonly WatchSpan[];
  /** Milliseconds of silence at which the step is due. */
  readonly silenceMs: number;
  /** Milliseconds after the beginning of each span in which no severity rises. */
  readonly graceMs: number;
}

/**
 * When a step is due by the rules of ADR 34: when so much silence was watched, and not in the first interval
 * of a span. The last span is taken as if it went on.
 */
export function dueAtMs({ heardAtMs, spans, silenceMs, graceMs }: ExpectedStep): number {
  let leftMs = silenceMs;
  for (const [index, { fromMs, untilMs }] of spans.entries()) {
    const endMs = index === spans.length - 1 ? Number.POSITIVE_INFINITY : untilMs;
    const countedFromMs = Math.max(fromMs, heardAtMs);
    if (countedFromMs >= endMs) continue;
    const atMs = Math.max(countedFromMs + leftMs, fromMs + graceMs);
    if (atMs <= endMs) return atMs;
    leftMs = Math.max(leftMs - (endMs - countedFromMs), 0);
  }
  throw new Error("expected a span of watched time");
}
