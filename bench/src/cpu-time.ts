import { readFile } from "node:fs/promises";

/** Linux tells processes their processor time in hundredths of a second, whatever the kernel's own tick. */
const MS_PER_TICK = 10;

/** Milliseconds of processor time that a process has used. */
export interface CpuTime {
  /** Its first thread alone: where JavaScript serves requests. */
  readonly mainThreadMs: number;
  readonly allThreadsMs: number;
}

/** Processor time suffers far less from busy neighbours than a clock does. Null where there is no /proc. */
export async function cpuTime(pid: number): Promise<CpuTime | null> {
  if (process.platform !== "linux") return null;
  const [main, all] = await Promise.all([
    readTicks(`/proc/${pid}/task/${pid}/stat`),
    readTicks(`/proc/${pid}/stat`),
  ]);
  return { mainThreadMs: main * MS_PER_TICK, allThreadsMs: all * MS_PER_TICK };
}

async function readTicks(path: string): Promise<number> {
  return ticksOf(await readFile(path, "utf8"));
}

/** User and system time of a line as proc(5) has it: fields 14 and 15; a name in brackets stands before. */
export function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}
