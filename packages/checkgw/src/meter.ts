import type { Decide } from "@svc/contract/decide";

/** The cost of one request beyond the adapter's own work. */
export interface Spent {
  /** Questions that went to the gateway. */
  readonly questions: number;
  /** Milliseconds that the gateway took to answer them. */
  readonly waitedMs: number;
}

export const NOTHING_SPENT: Spent = { questions: 0, waitedMs: 0 };

/** Counts the questions of one request, which are asked one after another. */
export interface Meter {
  readonly decide: Decide;
  /** A question without an answer counts with the time so far. */
  spent(): Spent;
}

export function createMeter(decide: Decide, monotonicMs: () => number): Meter {
  let questions = 0;
  let waitedMs = 0;
  let askedMs: number | null = null;
  return {
    decide: async (call, options) => {
      questions += 1;
      askedMs = monotonicMs();
      try {
        return await decide(call, options);
      } finally {
        waitedMs += monotonicMs() - askedMs;
        askedMs = null;
      }
    },
    spent: () => ({ questions, waitedMs: waitedMs + (askedMs === null ? 0 : monotonicMs() - askedMs) }),
  };
}
