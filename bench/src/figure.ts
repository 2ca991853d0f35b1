import { type Summary, summarize } from "./statistics.ts";

/** What a figure is counted in. Only a `ratio` compares across machines. */
export type Unit = "ratio" | "count" | "MiB" | "1/s" | "ms" | "us" | "ns";

/** A bound that the design sets for the median. */
export interface Target {
  readonly bound: "at_least" | "at_most";
  readonly value: number;
}

/** One measured quantity, over all rounds. */
export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  readonly summary: Summary;
  /** Null: shown for orientation, without a promise. */
  readonly target: Target | null;
}

/** What a scenario found out, or why it could not be run here. */
export type Findings =
  | { readonly kind: "measured"; readonly figures: readonly Figure[]; readonly notes: readonly string[] }
  | { readonly kind: "not_measured"; readonly reason: string };

export function figure(
  name: string,
  unit: Unit,
  samples: readonly number[],
  target: Target | null = null,
): Figure {
  return { name, unit, summary: summarize(samples), target };
}

export function atLeast(value: number): Target {
  return { bound: "at_least", value };
}

export function atMost(value: number): Target {
  return { bound: "at_most", value };
}

/** Whether the median keeps the target; null without one. */
export function isMet({ summary, target }: Figure): boolean | null {
  if (target === null) return null;
  return target.bound === "at_least" ? summary.median >= target.value : summary.median <= target.value;
}
