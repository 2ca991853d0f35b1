import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * Lets other threads go before the calling one: at a nice value of 5 it gets a third of what one of them
 * gets, at 10 a tenth. Linux only: elsewhere a priority belongs to the process. A thread whose priority
 * cannot be lowered keeps it.
 */
export function lowerPriority(nice: number): void {
  if (process.platform !== "linux") return;
  try {
    // "<process id>/task/<thread id>", of the thread that reads it.
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, nice);
  } catch {
    // There is no /proc, or a sandbox forbids the call. Fairness then depends on the scheduler alone.
    return;
  }
}
