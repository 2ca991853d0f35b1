import { type Problem, type ProblemCode, type ProblemEntry, problem } from "@svc/contract/problem";
import type { Diagnostic } from "@svc/engine/diagnostic";

/** An operation that was not carried out. `problem` says why, and is the answer to the caller. */
export interface Refusal {
  readonly kind: "problem";
  readonly problem: Problem;
  /** The findings of `problem.errors`, with secrets masked, for an answer that people read on a terminal. */
  readonly findings?: readonly Diagnostic[];
}

export function refuse(code: ProblemCode, detail: string, errors?: readonly ProblemEntry[]): Refusal {
  return { kind: "problem", problem: problem(code, detail, errors === undefined ? {} : { errors }) };
}

/** Refuses a page request whose `after` does not come from the same list. */
export function refuseCursor(after: string | null): Refusal {
  const entry = {
    pointer: "cursor",
    expected: "the next_cursor of a page of the same list",
    found: JSON.stringify(after),
  };
  return refuse("invalid_request", "The cursor does not belong to this list.", [entry]);
}
