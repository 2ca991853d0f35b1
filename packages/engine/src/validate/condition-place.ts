import type { PatternBudget } from "./pattern-budget.ts";
import type { KnownDetectors } from "./validate-detectors.ts";

/** What all rules of one document share. */
export interface DocumentScope {
  readonly patterns: PatternBudget;
  readonly detectors: KnownDetectors;
}

/** Where a condition stands. */
export interface ConditionPlace extends DocumentScope {
  /** Levels of all, any and not around it. */
  readonly depth: number;
  /** Whether the rule allows. */
  readonly permits: boolean;
  /** Whether an odd number of `not` stands around it. */
  readonly isNegated: boolean;
}
