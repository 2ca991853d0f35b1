/** A CPU profile as V8 writes it, as far as self time needs it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** The node at the top of the stack, sample by sample. */
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** How long one function ran by itself, without what it called. */
export interface SelfTime {
  readonly name: string;
  /** Share of the time in which the thread was not idle, from 0 to 1. */
  readonly share: number;
}

/** No function: the thread had nothing to do. */
const IDLE = new Set(["(idle)", "(root)"]);

/** Functions by self time, most first. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): readonly SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const totals = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? "(unknown)";
    if (!IDLE.has(name)) totals.set(name, (totals.get(name) ?? 0) + (timeDeltas[at] ?? 0));
  }
  const busy = [...totals.values()].reduce((sum, time) => sum + time, 0);
  return [...totals]
    .map(([name, time]) => ({ name, share: time / busy }))
    .sort((left, right) => right.share - left.share);
}

/** Share of the profile in which the thread was not idle, from 0 to 1. */
export function busyShare({ nodes, samples, timeDeltas }: CpuProfile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => IDLE.has(callFrame.functionName)).map(({ id }) => id));
  const sumOf = (times: readonly number[]): number => times.reduce((sum, time) => sum + time, 0);
  const busy = sumOf(timeDeltas.filter((_, at) => !idle.has(samples[at] ?? 0)));
  return busy / sumOf(timeDeltas);
}

/** Native functions of one name count together; the others are distinguished by their place in the source. */
function nameOf({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (url === "") return name;
  return `${name} ${url.slice(url.lastIndexOf("/") + 1)}:${lineNumber + 1}`;
}
