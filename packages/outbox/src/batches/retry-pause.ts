/** Milliseconds until the batch that failed is sent again: doubled with each failure, up to the longest. */
const PAUSE_MS = { first: 1_000, longest: 60_000 };

/** The longest pause that a receiver can ask for: an operator who repairs it waits no longer. */
const MOST_ASKED_MS = 10 * 60_000;

/** The largest part of a pause that chance adds: receivers that failed together are not hit together. */
const JITTER = 0.2;

/** @param failures in a row, at least 1 @param random from 0 to below 1 */
export function retryPauseMs(failures: number, askedMs: number | null, random: number): number {
  const doubled = Math.min(PAUSE_MS.first * 2 ** Math.min(failures - 1, 16), PAUSE_MS.longest);
  const ownMs = Math.round(doubled * (1 + JITTER * random));
  return Math.max(ownMs, Math.min(askedMs ?? 0, MOST_ASKED_MS));
}
