import { type Figure, figure, type Target } from "../figure.ts";
import { perRequestUs, type TimedResult } from "../load/timed-load.ts";
import { ratios } from "../statistics.ts";

/** Largest own cost of a seam at its median in milliseconds: what the design asks for. */
export const MAX_OWN_MS = 0.5;

export interface Comparison {
  /** What goes before the names of the figures. */
  readonly name: string;
  readonly subject: readonly TimedResult[];
  readonly baseline: readonly TimedResult[];
}

/** What a caller waits longer than without it, at the median and at the slowest hundredth. */
export function addedFigures({ name, subject, baseline }: Comparison): Figure[] {
  return [
    figure(`${name} adds, p50`, "ms", added(subject, baseline, p50)),
    figure(`${name} adds, p99`, "ms", added(subject, baseline, p99)),
  ];
}

/** What is left of that when the answer of the gateway is taken off, which was measured by itself. */
export function ownFigure(
  { name, subject, baseline }: Comparison,
  asking: readonly TimedResult[],
  target: Target,
): Figure {
  const own = added(subject, baseline, p50).map((ms, at) => ms - (asking[at]?.p50Ms ?? Number.NaN));
  return figure(`${name}'s own cost, p50`, "ms", own, target);
}

export function rateFigure({ name, subject, baseline }: Comparison, target: Target | null = null): Figure {
  return figure(`requests/s, ${name}`, "ratio", ratios(subject.map(rate), baseline.map(rate)), target);
}

export function p50Figure(name: string, turns: readonly TimedResult[]): Figure {
  return figure(`${name}, p50`, "ms", turns.map(p50));
}

/** Requests per second of a side, and processor time of its process where that is known. */
export function sideFigures(name: string, turns: readonly TimedResult[]): Figure[] {
  const used = turns.map((turn) => perRequestUs(turn, turn.cpu?.allThreadsMs));
  return [
    figure(name, "1/s", turns.map(rate)),
    ...(used.some(Number.isNaN) ? [] : [figure(`${name}, processor time per request`, "us", used)]),
  ];
}

function added(
  subject: readonly TimedResult[],
  baseline: readonly TimedResult[],
  of: (turn: TimedResult) => number,
): number[] {
  return subject.map((turn, at) => of(turn) - (baseline[at] === undefined ? Number.NaN : of(baseline[at])));
}

const p50 = ({ p50Ms }: TimedResult): number => p50Ms;
const p99 = ({ p99Ms }: TimedResult): number => p99Ms;
const rate = ({ requestsPerSecond }: TimedResult): number => requestsPerSecond;
