import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** Nice value of a thread that others do not wait for: the serving and the writing thread go first. */
const NICE = 10;

/**
 * Lets other threads go before the calling one. Linux only: elsewhere a priority belongs to the process. A
 * thread that cannot be lowered works on as it is.
 */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    // "<process id>/task/<thread id>", of the thread that reads it.
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, NICE);
  } catch {
    // No /proc, or a sandbox that forbids it: fairness then rests on the scheduler alone.
    return;
  }
}
