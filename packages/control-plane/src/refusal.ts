import { type Problem, type ProblemCode, type ProblemEntry, problem } from "@svc/contract/problem";
import type { Diagnostic } from "@svc/engine/diagnostic";

/** An operation that was not carried out. `problem` says why, and is the answer to the caller. */
export interface Refusal {
  readonly kind: "problem";
  readonly problem: Problem;
  /** The findings of `problem.errors`, with secrets masked, for an answer that people read on a terminal. */
  readonly findings?: readonly Diagnostic[];
}

/** What an operation gives, or why it was not carried out. */
export type Outcome<Value> = { readonly kind: "ok"; readonly value: Value } | Refusal;

export function refuse(code: ProblemCode, detail: string, errors?: readonly ProblemEntry[]): Refusal {
  return { kind: "problem", problem: problem(code, detail, errors === undefined ? {} : { errors }) };
}

/** Refuses a page request whose `after` does not come from the same list. */
export function refuseCursor(after: string | null): Refusal {
  const found = JSON.stringify(after);
  const expected = "the next_cursor of a page of the same list";
  const fix = "leave cursor out to begin with the first page";
  const detail = `cursor: expected ${expected}, found ${found} (${fix})`;
  return refuse("invalid_request", detail, [{ pointer: "cursor", expected, found, fix }]);
}
