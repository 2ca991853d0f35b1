import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import { within } from "@svc/process/within";

export interface BudgetOptions<T> {
  /** Makes an answer from the deny that replaces a missing verdict. */
  readonly deny: (verdict: DenyVerdict) => T;
  readonly onDefect: (error: unknown) => void;
}

/**
 * Runs the work that leads to a verdict, and answers in time whatever happens. A defect becomes a flagged
 * deny, and work that exceeds the budget becomes one too, for instance because a body never arrives.
 */
export async function withinBudget<T>(
  budgetMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  options: BudgetOptions<T>,
): Promise<T> {
  const controller = new AbortController();
  const outcome = await within(budgetMs, guard(work, controller.signal, options));
  if (outcome.kind === "in_time") return outcome.value;
  controller.abort();
  return options.deny(denyLate(budgetMs));
}

/** The deny of a request whose time is over, wherever that is noticed first. */
export function denyLate(budgetMs: number): DenyVerdict {
  return failClosedDeny("decision_timeout", `No verdict within ${budgetMs} ms.`);
}

/** Never rejects: the work may lose the race and fail afterwards. */
async function guard<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  { deny, onDefect }: BudgetOptions<T>,
): Promise<T> {
  try {
    return await work(signal);
  } catch (error) {
    onDefect(error);
    return deny(failClosedDeny("internal_error", "The adapter failed before a verdict was obtained."));
  }
}
