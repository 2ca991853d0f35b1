import { valueWithin } from "@svc/process/within";

/**
 * Rejects when the work has not settled in time. The work itself goes on: the caller must give up its
 * connection, because the server may still be working on the statement.
 */
export async function withDeadline<Result>(
  work: Promise<Result>,
  deadlineMs: number,
  what: string,
): Promise<Result> {
  const late = `${what}: no answer from PostgreSQL within ${String(deadlineMs)} ms`;
  return valueWithin(deadlineMs, work, late);
}
