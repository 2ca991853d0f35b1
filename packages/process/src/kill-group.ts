import type { ChildProcess } from "node:child_process";

/** Kills the process group that a child leads, also what is left of it when the child has ended. */
export function killGroup({ pid }: Pick<ChildProcess, "pid">): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
