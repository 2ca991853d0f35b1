import type { Caller } from "../caller.ts";
import { DrillFault } from "../drill-fault.ts";
import { isTrueWithin } from "../is-true-within.ts";
import type { Check } from "../judge/check.ts";
import type { Outcome } from "../observation.ts";

/** What every drill is given. */
export interface DrillContext {
  /** Ends the drill: its time is over, or somebody interrupted it. */
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** What was found so far. It is kept when the drill ends early. */
  readonly checks: Check[];
  /** Milliseconds in which a kill switch must reach every gateway. */
  readonly targetMs: number;
}

/** Answers of one kind that each caller must have before a step goes on, as count: one could be chance. */
const ENOUGH_ANSWERS = 3;

/** Whether every caller gets enough answers of these kinds to calls that are sent from now on. */
export async function everyCallerSees(
  callers: readonly Caller[],
  outcomes: readonly Outcome[],
  { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const sinceMs = performance.now();
  const hasEnough = ({ observations }: Caller): boolean => {
    let count = 0;
    for (let index = observations.length - 1; index >= 0 && count < ENOUGH_ANSWERS; index -= 1) {
      const one = observations[index];
      if (one === undefined || one.sentAtMs < sinceMs) break;
      if (outcomes.includes(one.outcome)) count += 1;
    }
    return count >= ENOUGH_ANSWERS;
  };
  return isTrueWithin(() => callers.every(hasEnough), { withinMs, signal });
}

/** The check of a step that could not be done. @throws what is not a fault of the cluster */
export function undoneStep(error: unknown, step: Pick<Check, "id" | "subject">): Check {
  if (!(error instanceof DrillFault)) throw error;
  return { ...step, gateway: null, verdict: "failed", figures: {}, detail: error.message };
}
