import { choose, type Random, randomDuration, randomOf, shuffled } from "./random.ts";

/** How many faults of each kind a run has. */
export interface FaultCounts {
  readonly partitions: number;
  readonly stops: number;
  readonly kills: number;
  readonly databaseRestarts: number;
  readonly databaseFreezes: number;
}

export const WHOLE: FaultCounts = {
  partitions: 200,
  stops: 50,
  kills: 50,
  databaseRestarts: 20,
  databaseFreezes: 20,
};

/** A few of each kind, for less than a minute. */
export const SHORT: FaultCounts = {
  partitions: 7,
  stops: 2,
  kills: 3,
  databaseRestarts: 1,
  databaseFreezes: 2,
};

/** How the network between a gateway and its database breaks. */
export const PARTITIONS = [
  "both ways",
  "to database",
  "from database",
  "flapping",
  "refused",
  "some connections",
] as const;

export type FaultAct =
  | { readonly kind: "partition"; readonly shape: (typeof PARTITIONS)[number]; readonly durationMs: number }
  | { readonly kind: "SIGSTOP"; readonly durationMs: number }
  | { readonly kind: "kill -9" }
  | { readonly kind: "database restart"; readonly durationMs: number }
  | { readonly kind: "database freeze"; readonly durationMs: number };

export interface PlannedFault {
  /** The id of a gateway, or `database`. */
  readonly target: string;
  readonly act: FaultAct;
  /** Milliseconds after the start of its round. */
  readonly afterMs: number;
}

/** Faults of different targets that begin at about the same time. The next round waits for their end. */
export type Round = readonly PlannedFault[];

/** Most milliseconds between the faults of a round. */
const SPREAD_MS = 400;

/** Most faults of a round: each gateway and the database. */
const MOST_AT_ONCE = 4;

/** So many partitions outlast a lease in every plan, by this number of milliseconds at least. */
const SURELY_LONG = 3;
const LONG_MS = 3_000;

/** The faults of a run. The same seed always gives the same plan. */
export function planFaults(counts: FaultCounts, gateways: readonly string[], seed: number): readonly Round[] {
  const random = randomOf(seed);
  const acts = shuffled(random, actsOf(counts, random));
  const rounds: PlannedFault[][] = [];
  let size = 0;
  for (const act of acts) {
    const isOfDatabase = act.kind === "database restart" || act.kind === "database freeze";
    const target = isOfDatabase ? "database" : choose(random, gateways);
    const fault = { target, act, afterMs: Math.round(random() * SPREAD_MS) };
    const round = rounds.at(-1);
    if (round === undefined || round.length >= size || round.some((each) => each.target === target)) {
      rounds.push([fault]);
      size = 1 + Math.floor(random() * MOST_AT_ONCE);
    } else round.push(fault);
  }
  return rounds;
}

function actsOf(counts: FaultCounts, random: Random): FaultAct[] {
  const times = <Act>(count: number, make: (at: number) => Act) =>
    Array.from({ length: count }, (_, at) => make(at));
  return [
    ...times(counts.partitions, (at) => {
      const shape = PARTITIONS[at % PARTITIONS.length] ?? "both ways";
      const shortestMs = at < SURELY_LONG ? LONG_MS : 100;
      return { kind: "partition" as const, shape, durationMs: randomDuration(random, shortestMs, 5_000) };
    }),
    ...times(counts.stops, () => ({
      kind: "SIGSTOP" as const,
      durationMs: randomDuration(random, 100, 10_000),
    })),
    ...times(counts.kills, () => ({ kind: "kill -9" as const })),
    ...times(counts.databaseRestarts, () => ({
      kind: "database restart" as const,
      durationMs: randomDuration(random, 50, 2_000),
    })),
    ...times(counts.databaseFreezes, () => ({
      kind: "database freeze" as const,
      durationMs: randomDuration(random, 100, 5_000),
    })),
  ];
}
