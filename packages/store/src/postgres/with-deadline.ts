/**
 * Rejects when the work has not settled in time. The work itself goes on: whoever calls must give up its
 * connection, because nobody knows what the server still makes of it.
 */
export async function withDeadline<Result>(
  work: Promise<Result>,
  deadlineMs: number,
  what: string,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`${what}: no answer from PostgreSQL within ${String(deadlineMs)} ms`)),
    deadlineMs,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
