import { atMost, type Figure, figure, type Target } from "../figure.ts";
import { perRequestUs, type TimedResult } from "../load/timed-load.ts";
import { ratios } from "../statistics.ts";

/** Threads below this many microseconds per request are left out: they do not serve requests. */
const SHOWN_FROM_US = 0.5;

/** Most processor time that the serving thread may take of the bare server's. */
const SERVING_THREAD = atMost(1.25);

/** What the rounds of the governed side must reach beside those of the bare server. */
export interface ExecuteTargets {
  readonly rate: Target;
  readonly p99: Target;
}

export interface Rounds {
  readonly name: string;
  readonly bare: readonly TimedResult[];
  readonly governed: readonly TimedResult[];
}

export function executeFigures({ name, bare, governed }: Rounds, targets: ExecuteTargets): Figure[] {
  const over = (of: (turn: TimedResult) => number): number[] => ratios(governed.map(of), bare.map(of));
  return [
    figure(`${name}: requests/s, governed to bare`, "ratio", over(rate), targets.rate),
    figure(`${name}: p50, governed to bare`, "ratio", over(p50)),
    figure(`${name}: p99, governed to bare`, "ratio", over(p99), targets.p99),
    figure(`${name}: bare`, "1/s", bare.map(rate)),
    figure(`${name}: governed`, "1/s", governed.map(rate)),
    figure(`${name}: bare p99`, "ms", bare.map(p99)),
    figure(`${name}: governed p99`, "ms", governed.map(p99)),
    ...cpuFigures({ name, bare, governed }),
  ];
}

/** Processor time per request: what remains comparable while others use the machine too. */
function cpuFigures({ name, bare, governed }: Rounds): Figure[] {
  const main = (turn: TimedResult): number => perRequestUs(turn, turn.cpu?.mainThreadMs);
  if ([...bare, ...governed].some(({ cpu }) => cpu === null)) return [];
  return [
    figure(
      `${name}: serving thread's processor time, governed to bare`,
      "ratio",
      ratios(governed.map(main), bare.map(main)),
      SERVING_THREAD,
    ),
    figure(`${name}: bare, serving thread per request`, "us", bare.map(main)),
    figure(`${name}: bare, load generator per request`, "us", bare.map(generator)),
    figure(`${name}: governed, serving thread per request`, "us", governed.map(main)),
    ...threadFigures(`${name}: governed`, governed),
    figure(`${name}: governed, all threads per request`, "us", governed.map(all)),
    figure(`${name}: governed, load generator per request`, "us", governed.map(generator)),
  ];
}

/** Every further thread that takes part, the busiest first. */
export function threadFigures(name: string, turns: readonly TimedResult[]): Figure[] {
  const names = new Set(turns.flatMap(({ cpu }) => [...(cpu?.threadsMs.keys() ?? [])]));
  return [...names]
    .filter((thread) => thread !== "MainThread")
    .map((thread) => {
      const used = turns.map((turn) => perRequestUs(turn, turn.cpu?.threadsMs.get(thread) ?? 0));
      return figure(`${name}, thread ${thread} per request`, "us", used);
    })
    .filter(({ summary }) => summary.median >= SHOWN_FROM_US)
    .toSorted((a, b) => b.summary.median - a.summary.median);
}

export const rate = ({ requestsPerSecond }: TimedResult): number => requestsPerSecond;
export const p99 = ({ p99Ms }: TimedResult): number => p99Ms;
export const all = (turn: TimedResult): number => perRequestUs(turn, turn.cpu?.allThreadsMs);
const p50 = ({ p50Ms }: TimedResult): number => p50Ms;
const generator = (turn: TimedResult): number => perRequestUs(turn, turn.generatorMs ?? undefined);
