import { type Figure, figure } from "../figure.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";
import { timeBatch } from "../time-batch.ts";

/** Lookups of one turn, as count: at least some milliseconds. */
const LOOKUPS = 200_000;

export interface LookupComparison {
  readonly rounds: number;
  readonly name: string;
  readonly few: (at: number) => unknown;
  readonly many: (at: number) => unknown;
}

/** How the cost of a lookup grows with the number of entries. */
export async function compareLookups(comparison: LookupComparison): Promise<Figure[]> {
  const { rounds, name, few, many } = comparison;
  for (const work of [few, many, few, many]) timeBatch(LOOKUPS, work);
  const sides = [few, many].map((work) => () => Promise.resolve(timeBatch(LOOKUPS, work)));
  const [fewNs = [], manyNs = []] = await takeTurns(rounds, sides);
  return [
    figure(name, "ratio", ratios(manyNs, fewNs)),
    figure(`${name}: few`, "ns", fewNs),
    figure(`${name}: many`, "ns", manyNs),
  ];
}
