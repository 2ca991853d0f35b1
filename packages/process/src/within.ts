import { nodeTimers, type Timers } from "./timers.ts";

/** The value of work that ended in time, or the fact that it did not. */
export type Timely<Value> = { readonly kind: "in_time"; readonly value: Value } | { readonly kind: "late" };

/**
 * Waits at most `limitMs` for the work. Work that is late continues, and its later failure is ignored. The
 * caller stops it where that matters. @throws what the work throws in time.
 */
export async function within<Value>(
  limitMs: number,
  work: Promise<Value>,
  timers: Timers = nodeTimers,
): Promise<Timely<Value>> {
  const limit = Promise.withResolvers<Timely<Value>>();
  const cancel = timers.after(limitMs, () => limit.resolve({ kind: "late" }));
  try {
    return await Promise.race([
      work.then((value): Timely<Value> => ({ kind: "in_time", value })),
      limit.promise,
    ]);
  } finally {
    cancel();
  }
}

/**
 * The value of the work. @throws what the work throws, and an error with the message `late` when the work
 * takes longer than `limitMs`. The work may still take effect.
 */
export async function valueWithin<Value>(
  limitMs: number,
  work: Promise<Value>,
  late: string,
): Promise<Value> {
  const outcome = await within(limitMs, work);
  if (outcome.kind === "late") throw new Error(late);
  return outcome.value;
}
