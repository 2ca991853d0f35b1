import { readFileSync } from "node:fs";

/** What a thread has had since it began, in nanoseconds. */
export interface ThreadTime {
  readonly ranNs: number;
  /** Time in which it could have run, but others did. */
  readonly waitedNs: number;
}

/** Of the calling thread; null where the system does not count it, as anywhere but on Linux. */
export function readThreadTime(): ThreadTime | null {
  return readSchedstat("/proc/thread-self/schedstat");
}

/** Of the thread that the process began with, which is the one that answers requests. */
export function readMainThreadTime(): ThreadTime | null {
  const id = String(process.pid);
  return readSchedstat(`/proc/${id}/task/${id}/schedstat`);
}

function readSchedstat(path: string): ThreadTime | null {
  try {
    // "<ns on a processor> <ns waiting for one> <number of slices>"
    const [ranNs, waitedNs] = readFileSync(path, "ascii").split(" ").map(Number);
    return ranNs === undefined || waitedNs === undefined ? null : { ranNs, waitedNs };
  } catch {
    // Work does not rest then. Its priority is low all the same.
    return null;
  }
}
