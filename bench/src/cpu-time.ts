import { readdir, readFile } from "node:fs/promises";

/** Linux tells processes their processor time in hundredths of a second, whatever the kernel's own tick. */
const MS_PER_TICK = 10;

/** Milliseconds of processor time that a process has used. */
export interface CpuTime {
  /** Its first thread alone: where JavaScript serves requests. */
  readonly mainThreadMs: number;
  readonly allThreadsMs: number;
  /** Of the threads that live, by name. Threads of one name are added up; Linux cuts names to 15 letters. */
  readonly threadsMs: ReadonlyMap<string, number>;
}

/** Processor time suffers far less from busy neighbours than a clock does. Null where there is no /proc. */
export async function cpuTime(pid: number): Promise<CpuTime | null> {
  if (process.platform !== "linux") return null;
  const [main, all, threads] = await Promise.all([
    readStat(`/proc/${pid}/task/${pid}/stat`),
    readStat(`/proc/${pid}/stat`),
    readThreads(pid),
  ]);
  const threadsMs = new Map<string, number>();
  for (const line of threads) {
    const name = nameOf(line);
    threadsMs.set(name, (threadsMs.get(name) ?? 0) + ticksOf(line) * MS_PER_TICK);
  }
  return { mainThreadMs: ticksOf(main) * MS_PER_TICK, allThreadsMs: ticksOf(all) * MS_PER_TICK, threadsMs };
}

/** Milliseconds of this process and of its children that have ended, such as a load generator. */
export async function ownCpuMs(): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const line = await readStat("/proc/self/stat");
  return (ticksOf(line) + ticksOf(line, { ofEndedChildren: true })) * MS_PER_TICK;
}

/** Milliseconds of the children of this process that have ended. Null where there is no /proc. */
export async function endedChildrenMs(): Promise<number | null> {
  if (process.platform !== "linux") return null;
  return ticksOf(await readStat("/proc/self/stat"), { ofEndedChildren: true }) * MS_PER_TICK;
}

async function readThreads(pid: number): Promise<string[]> {
  const ids = await readdir(`/proc/${pid}/task`);
  // A thread may end between the two reads.
  const lines = await Promise.allSettled(ids.map(async (id) => readStat(`/proc/${pid}/task/${id}/stat`)));
  return lines.flatMap((line) => (line.status === "fulfilled" ? line.value : []));
}

async function readStat(path: string): Promise<string> {
  return readFile(path, "utf8");
}

/** User and system time of a line as proc(5) has it: fields 14 and 15; a name in brackets stands before. */
export function ticksOf(stat: string, { ofEndedChildren } = { ofEndedChildren: false }): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const first = ofEndedChildren ? 13 : 11;
  return Number(fields[first]) + Number(fields[first + 1]);
}

/** The name of a thread in such a line. */
export function nameOf(stat: string): string {
  return stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
}
