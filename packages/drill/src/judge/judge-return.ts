import type { Observation } from "../observation.ts";
import type { Check } from "./check.ts";
import { rounded } from "./rounded.ts";

/** Milliseconds after a fault in which a gateway must serve again. */
export const BACK_WITHIN_MS = 5_000;

/** The calls to one gateway after a fault. */
export interface ReturnWindow {
  readonly gateway: string;
  readonly subject: string;
  /** When the fault was over, in milliseconds of the drill's own monotonic clock. */
  readonly mendedAtMs: number;
  /** When the drill stopped looking. */
  readonly watchedUntilMs: number;
  readonly observations: readonly Observation[];
}

/** A gateway allows again within 5 s of the end of a fault. */
export function judgeReturn(window: ReturnWindow): Check {
  const { gateway, subject, mendedAtMs, watchedUntilMs, observations } = window;
  const after = observations.filter(({ sentAtMs }) => sentAtMs > mendedAtMs);
  const firstAllowed = after.find(({ outcome }) => outcome === "allowed");
  const lastRefused = after.findLast(
    (one) =>
      one.outcome !== "allowed" && (firstAllowed === undefined || one.sentAtMs < firstAllowed.sentAtMs),
  );
  const awayUntilMs = Math.max(lastRefused?.sentAtMs ?? mendedAtMs, mendedAtMs);
  const atLeastMs = rounded(awayUntilMs - mendedAtMs);
  const atMostMs = firstAllowed === undefined ? null : rounded(firstAllowed.endedAtMs - mendedAtMs);
  const base = { id: "serves_again", subject, gateway };
  const figures = { at_least_ms: atLeastMs, at_most_ms: atMostMs, limit_ms: BACK_WITHIN_MS };
  if (atMostMs !== null && atMostMs <= BACK_WITHIN_MS)
    return { ...base, verdict: "passed", figures, detail: `${gateway} allowed a call after ${atMostMs} ms` };
  if (atLeastMs > BACK_WITHIN_MS)
    return { ...base, verdict: "failed", figures, detail: `${gateway} still refused after ${atLeastMs} ms` };
  const watchedMs = rounded(watchedUntilMs - mendedAtMs);
  const detail = `${gateway} was watched for ${watchedMs} ms, and no answer shows when it was back`;
  return { ...base, verdict: "not_measured", figures, detail };
}
