const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Milliseconds between an attempt that failed and the next one. The first attempt is made at once. Together
 * more than three days: a receiver that broke on a Friday evening gets what it missed on Monday.
 */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** Attempts of a delivery until it is dead, as count. */
export const MOST_ATTEMPTS = PAUSES_MS.length + 1;

/** The largest part of a pause that chance adds: receivers that failed together are not hit together. */
const JITTER = 0.2;

/** The longest pause that a receiver can ask for: as long as the longest of the schedule. */
const MOST_ASKED_MS = 24 * HOUR_MS;

export interface FailedAttempt {
  /** Attempts that were made, as count; at least 1. */
  readonly attempts: number;
  /** When the last of them ended, in milliseconds since 1970. */
  readonly endedMs: number;
  /** Milliseconds that the receiver asked to wait for; null: it did not ask. */
  readonly retryAfterMs: number | null;
}

/** @param random from 0 to below 1 @returns milliseconds since 1970; null: the delivery is dead */
export function nextAttemptMs(failed: FailedAttempt, random: number): number | null {
  const pauseMs = PAUSES_MS[failed.attempts - 1];
  if (pauseMs === undefined) return null;
  const ownMs = Math.round(pauseMs * (1 + JITTER * random));
  return failed.endedMs + Math.max(ownMs, Math.min(failed.retryAfterMs ?? 0, MOST_ASKED_MS));
}
