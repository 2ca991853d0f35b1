import { runTimed, type TimedResult } from "../load/timed-load.ts";
import type { Bench } from "../scenario.ts";
import { takeTurns } from "../take-turns.ts";

/** One way to the backend: past a seam, through it, or through something in its place. */
export interface Side {
  readonly url: string;
  readonly bodies: readonly string[];
  /** The process whose processor time is measured; null: none. */
  readonly pid: number | null;
}

/** What each side gave, round by round. */
export type Turns<Name extends string> = Readonly<Record<Name, readonly TimedResult[]>>;

/** Connections of the generator, as counts: what a caller alone waits for, and what many get through. */
export const ALONE = 1;
export const MANY = 16;

/** Seconds of load with many connections before anything counts: compilers want thousands of requests. */
const WARM_UP_SECONDS = 4;

/** Loads every side in turn, round by round, with so many connections. */
export async function measureSides<Name extends string>(
  bench: Bench,
  connections: number,
  sides: Readonly<Record<Name, Side>>,
): Promise<Turns<Name>> {
  const named = Object.entries(sides) as [Name, Side][];
  for (const [, { url, bodies }] of named) {
    await bench.generator.run({ url, bodies, connections: MANY, seconds: WARM_UP_SECONDS }, bench.cleanup);
  }
  const { rounds, seconds } = bench;
  bench.say(`${connections} connections: warm, ${rounds} rounds of ${named.length} x ${seconds} s`);
  const turns = named.map(([, { pid, url, bodies }]) => (): Promise<TimedResult> => {
    return runTimed(bench, { url, bodies, connections, seconds }, pid);
  });
  const results = await takeTurns(rounds, turns);
  const found = named.map(([name], at) => [name, results[at] ?? []] as const);
  return Object.fromEntries(found) as Record<Name, TimedResult[]>;
}
