import { type CpuTime, cpuTime, ownCpuMs } from "../cpu-time.ts";
import type { Bench } from "../scenario.ts";
import type { Load, LoadResult } from "./load-generator.ts";

/** A load, and the processor time that a process and the generator of the load used meanwhile. */
export interface TimedResult extends LoadResult {
  /** Null where it cannot be measured, and without a process. */
  readonly cpu: CpuTime | null;
  /** Null where it cannot be measured. */
  readonly generatorMs: number | null;
}

/** Runs a load and looks at the clock of the process before and behind it. */
export async function runTimed(bench: Bench, load: Load, pid: number | null): Promise<TimedResult> {
  const ownBefore = await ownCpuMs();
  const before = await timeOf(pid);
  const result = await bench.generator.run(load, bench.cleanup);
  const after = await timeOf(pid);
  const ownAfter = await ownCpuMs();
  const generatorMs = ownBefore === null || ownAfter === null ? null : ownAfter - ownBefore;
  const cpu = before === null || after === null ? null : usedBetween(before, after);
  return { ...result, cpu, generatorMs };
}

/** Microseconds per answered request; NaN when it is not known. */
export function perRequestUs({ requests }: LoadResult, usedMs = Number.NaN): number {
  return (usedMs * 1_000) / requests;
}

function usedBetween(before: CpuTime, after: CpuTime): CpuTime {
  const ofThreads = [...after.threadsMs].map(
    ([name, ms]) => [name, ms - (before.threadsMs.get(name) ?? 0)] as const,
  );
  return {
    mainThreadMs: after.mainThreadMs - before.mainThreadMs,
    allThreadsMs: after.allThreadsMs - before.allThreadsMs,
    threadsMs: new Map(ofThreads),
  };
}

function timeOf(pid: number | null): Promise<CpuTime | null> {
  return pid === null ? Promise.resolve(null) : cpuTime(pid);
}
