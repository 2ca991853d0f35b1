import { readFile } from "node:fs/promises";

/** What a process holds while it rests. */
export interface Residence {
  /** MiB of memory, with the parts of its program that other processes share. */
  readonly mib: number;
  readonly threads: number;
}

export async function residence(pid: number): Promise<Residence> {
  return parseStatus(await readFile(`/proc/${String(pid)}/status`, "utf8"));
}

/** @param status as proc(5) has it: one name and value a line. @throws when a line is missing */
export function parseStatus(status: string): Residence {
  const numberOf = (name: string): number => {
    const found = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1];
    if (found === undefined) throw new Error(`expected a line ${name} in /proc/<pid>/status`);
    return Number(found);
  };
  return { mib: numberOf("VmRSS") / 1024, threads: numberOf("Threads") };
}
