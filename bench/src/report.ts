import type { Findings } from "./figure.ts";
import type { Machine } from "./machine.ts";

/** One run of the benchmarks. */
export interface Report {
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  readonly seconds: number;
  readonly loadGenerator: string;
  readonly scenarios: readonly ScenarioReport[];
}

export interface ScenarioReport {
  readonly name: string;
  readonly title: string;
  readonly findings: Findings;
}
