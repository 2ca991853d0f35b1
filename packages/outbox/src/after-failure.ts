import type { DeliveryCourse } from "@svc/store/ports/delivery-store";

/** Attempts in a row that fail until an endpoint is suspended, as count: two rounds of its slots and more. */
export const FAILURES_TO_SUSPEND = 20;

/** Milliseconds between two tries of a suspended endpoint. */
export const PROBE_MS = 60_000;

/** Milliseconds for which an endpoint fails until it is disabled: a long week-end and a day. */
export const DISABLE_AFTER_MS = 5 * 24 * 60 * 60 * 1_000;

export function afterSuccess(course: DeliveryCourse, nowMs: number): DeliveryCourse {
  return { ...course, failures: 0, failingSinceMs: null, probeAtMs: null, lastSuccessAtMs: nowMs };
}

export function afterFailure(course: DeliveryCourse, nowMs: number): DeliveryCourse {
  const failures = course.failures + 1;
  const failing = { failures, failingSinceMs: course.failingSinceMs ?? nowMs, lastFailureAtMs: nowMs };
  return { ...course, ...failing, probeAtMs: failures < FAILURES_TO_SUSPEND ? null : nowMs + PROBE_MS };
}

export function failedForTooLong({ failingSinceMs }: DeliveryCourse, nowMs: number): boolean {
  return failingSinceMs !== null && nowMs - failingSinceMs >= DISABLE_AFTER_MS;
}
