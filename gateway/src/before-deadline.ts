import type { MonotonicClock } from "@svc/process/clock";

export interface Deadline {
  readonly clock: MonotonicClock;
  /** Monotonic milliseconds. */
  readonly deadlineMs: number;
}

/** What the work yields; null once the deadline has passed. Work that comes too late is not begun. */
export async function beforeDeadline<Value>(
  { clock, deadlineMs }: Deadline,
  work: () => Promise<Value>,
): Promise<Value | null> {
  const remainingMs = deadlineMs - clock.nowMs();
  if (remainingMs <= 0) return null;
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), remainingMs);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
