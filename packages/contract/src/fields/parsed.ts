import { MAX_PROBLEM_ENTRIES } from "../limits.ts";
import type { ProblemEntry } from "../problems/problem.ts";

/** A value of the expected form, or the faults that were found: at least one, at most MAX_PROBLEM_ENTRIES. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly ProblemEntry[] };

/** A refusal with the first of its faults: a hostile body must not be answered with a larger one. */
export function refused(errors: readonly ProblemEntry[]): { ok: false; errors: readonly ProblemEntry[] } {
  return { ok: false, errors: errors.slice(0, MAX_PROBLEM_ENTRIES) };
}
