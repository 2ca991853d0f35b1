import type { PatternBudget } from "./pattern-budget.ts";

/** Where a condition stands. */
export interface ConditionPlace {
  /** Levels of all, any and not around it. */
  readonly depth: number;
  /** Whether the rule allows. */
  readonly permits: boolean;
  /** Whether an odd number of `not` stands around it. */
  readonly isNegated: boolean;
  /** What all patterns of the document share. */
  readonly patterns: PatternBudget;
}
