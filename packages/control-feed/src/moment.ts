import type { MonotonicClock, WallClock } from "@svc/process/clock";

/** One moment, read from both clocks. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** So long ago that nothing counts as verified. */
export const NEVER: Moment = { monotonicMs: Number.NEGATIVE_INFINITY, wallMs: 0 };

/** Later than any read. */
export const AT_NO_TIME: Moment = { monotonicMs: Number.POSITIVE_INFINITY, wallMs: 0 };

export function momentOf(clock: MonotonicClock & WallClock): Moment {
  return { monotonicMs: clock.nowMs(), wallMs: clock.now().getTime() };
}

/**
 * Milliseconds since a moment. The monotonic clock stands still while the machine sleeps. When the two clocks
 * disagree about the elapsed time, the difference is added, so after a sleep or a jump of the wall clock the
 * moment counts as long ago.
 */
export function msSince(then: Moment, now: Moment): number {
  const elapsedMs = now.monotonicMs - then.monotonicMs;
  const driftMs = Math.abs(now.wallMs - then.wallMs - elapsedMs);
  return Math.max(elapsedMs, driftMs);
}
