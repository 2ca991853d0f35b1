import type { IdempotencyStore } from "../ports/idempotency-store.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";

export function createIdempotencyStore(context: StoreContext): IdempotencyStore {
  return {
    removeExpiredKeys: async (atMs, limit) => removeExpired(context, atMs, limit),
  };
}

async function removeExpired(context: StoreContext, atMs: number, limit: number): Promise<number> {
  return inTransaction(context, async ({ trx, dialect }) => {
    const expired = trx
      .selectFrom("idempotency_keys")
      .select(["org", "key_digest"])
      .where("expires_at_ms", "<=", atMs)
      .orderBy("expires_at_ms")
      .limit(limit)
      // A key that a batch is taking at this moment does not block the others.
      .$if(dialect === "postgres", (query) => query.forUpdate().skipLocked());
    const removed = await trx
      .deleteFrom("idempotency_keys")
      .where((eb) => eb(eb.refTuple("org", "key_digest"), "in", expired.$asTuple("org", "key_digest")))
      .executeTakeFirst();
    return Number(removed.numDeletedRows);
  });
}
