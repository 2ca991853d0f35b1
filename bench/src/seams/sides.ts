import { runTimed, type TimedResult } from "../load/timed-load.ts";
import type { Bench } from "../scenario.ts";
import { takeTurns } from "../take-turns.ts";

/** One way to the backend: past a seam, through it, or through something in its place. */
export interface Side {
  readonly url: string;
  readonly bodies: readonly string[];
  /** The process whose processor time is told; null: none. */
  readonly pid: number | null;
}

/** What each side gave, round by round. */
export type Turns<Name extends string> = Readonly<Record<Name, readonly TimedResult[]>>;

/** Connections of the generator, as counts: what a caller alone waits for, and what many get through. */
export const ALONE = 1;
export const MANY = 16;

/** Seconds of load before anything counts. */
const WARM_UP_SECONDS = 3;

/** Loads every side in turn, round by round, with so many connections. */
export async function measureSides<Name extends string>(
  bench: Bench,
  connections: number,
  sides: Readonly<Record<Name, Side>>,
): Promise<Turns<Name>> {
  const named = Object.entries(sides) as [Name, Side][];
  const run = ({ pid, ...load }: Side, seconds: number): Promise<TimedResult> =>
    runTimed(bench, { ...load, connections, seconds }, pid);
  for (const [, side] of named) await run(side, WARM_UP_SECONDS);
  bench.say(
    `${connections} connections: warm, ${bench.rounds} rounds of ${named.length} x ${bench.seconds} s`,
  );
  const turns = named.map(
    ([, side]) =>
      () =>
        run(side, bench.seconds),
  );
  const results = await takeTurns(bench.rounds, turns);
  return Object.fromEntries(named.map(([name], at) => [name, results[at] ?? []])) as Record<
    Name,
    TimedResult[]
  >;
}
