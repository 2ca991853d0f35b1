import type { MonotonicClock } from "@svc/process/clock";
import { within } from "@svc/process/within";

export interface Deadline {
  readonly clock: MonotonicClock;
  /** Monotonic milliseconds. */
  readonly deadlineMs: number;
}

/** The value of the work; null when the deadline has passed. Work is not begun after the deadline. */
export async function beforeDeadline<Value>(
  { clock, deadlineMs }: Deadline,
  work: () => Promise<Value>,
): Promise<Value | null> {
  const remainingMs = deadlineMs - clock.nowMs();
  if (remainingMs <= 0) return null;
  const outcome = await within(remainingMs, work());
  return outcome.kind === "late" ? null : outcome.value;
}
