import { type CpuTime, cpuTime } from "../cpu-time.ts";
import type { Bench } from "../scenario.ts";
import type { Load, LoadResult } from "./load-generator.ts";

/** A load, and the processor time that a process used meanwhile. */
export interface TimedResult extends LoadResult {
  /** Null where it cannot be measured, and without a process. */
  readonly cpu: CpuTime | null;
}

/** Runs a load and looks at the clock of the process before and behind it. */
export async function runTimed(bench: Bench, load: Load, pid: number | null): Promise<TimedResult> {
  const before = await timeOf(pid);
  const result = await bench.generator.run(load, bench.cleanup);
  const after = await timeOf(pid);
  if (before === null || after === null) return { ...result, cpu: null };
  const mainThreadMs = after.mainThreadMs - before.mainThreadMs;
  return { ...result, cpu: { mainThreadMs, allThreadsMs: after.allThreadsMs - before.allThreadsMs } };
}

/** Microseconds per answered request; NaN when it is not known. */
export function perRequestUs({ requests }: LoadResult, usedMs = Number.NaN): number {
  return (usedMs * 1_000) / requests;
}

function timeOf(pid: number | null): Promise<CpuTime | null> {
  return pid === null ? Promise.resolve(null) : cpuTime(pid);
}
