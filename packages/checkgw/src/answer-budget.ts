import { failClosedDeny, type Verdict } from "@svc/contract/verdict";

/**
 * Runs the work that leads to a verdict; answers in time whatever happens to it. A defect is a flagged deny,
 * and so is work that takes longer than the budget, for instance a body that never comes.
 */
export async function withinBudget(
  budgetMs: number,
  work: (signal: AbortSignal) => Promise<Verdict>,
  onDefect: (error: unknown) => void,
): Promise<Verdict> {
  const controller = new AbortController();
  const { promise: expired, resolve } = Promise.withResolvers<Verdict>();
  const timer = setTimeout(() => {
    resolve(failClosedDeny("decision_timeout", `No verdict within ${budgetMs} ms.`));
    controller.abort();
  }, budgetMs);
  try {
    return await Promise.race([guard(work, controller.signal, onDefect), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Never rejects: the work may lose the race and fail afterwards. */
async function guard(
  work: (signal: AbortSignal) => Promise<Verdict>,
  signal: AbortSignal,
  onDefect: (error: unknown) => void,
): Promise<Verdict> {
  try {
    return await work(signal);
  } catch (error) {
    onDefect(error);
    return failClosedDeny("internal_error", "The adapter failed before a verdict was obtained.");
  }
}
