import type { DeliveryCourse } from "@svc/store/ports/delivery-store";

/** Attempts in a row that fail until an endpoint is suspended, as count: two rounds of its slots and more. */
export const FAILURES_TO_SUSPEND = 20;

/** Milliseconds between two tries of a suspended endpoint. */
export const PROBE_MS = 60_000;

/**
 * Milliseconds for which attempts fail until an endpoint is disabled: a long week-end and a day. Time without
 * a server that tries does not count.
 */
export const DISABLE_AFTER_MS = 5 * 24 * 60 * 60 * 1_000;

/** Milliseconds between two attempts, at most, while there is a server: of the schedule, and of probes. */
const LONGEST_PAUSE_MS = { scheduled: 30 * 60 * 60 * 1_000, probes: 5 * PROBE_MS };

export function afterSuccess(course: DeliveryCourse, nowMs: number): DeliveryCourse {
  return { ...course, failures: 0, failingSinceMs: null, probeAtMs: null, lastSuccessAtMs: nowMs };
}

export function afterFailure(course: DeliveryCourse, nowMs: number): DeliveryCourse {
  const failures = course.failures + 1;
  const failing = { failures, failingSinceMs: failingSince(course, nowMs), lastFailureAtMs: nowMs };
  return { ...course, ...failing, probeAtMs: failures < FAILURES_TO_SUSPEND ? null : nowMs + PROBE_MS };
}

export function failedForTooLong({ failingSinceMs, lastFailureAtMs }: DeliveryCourse): boolean {
  return failingSinceMs !== null && (lastFailureAtMs ?? 0) - failingSinceMs >= DISABLE_AFTER_MS;
}

/** Begins later by what a pause took longer than it would have with a server. */
function failingSince({ failingSinceMs, lastFailureAtMs, probeAtMs }: DeliveryCourse, nowMs: number): number {
  if (failingSinceMs === null || lastFailureAtMs === null) return nowMs;
  const longestMs = probeAtMs === null ? LONGEST_PAUSE_MS.scheduled : LONGEST_PAUSE_MS.probes;
  return failingSinceMs + Math.max(nowMs - lastFailureAtMs - longestMs, 0);
}
