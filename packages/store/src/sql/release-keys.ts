import type { Settlement } from "../ports/ledger.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { TransactionContext } from "./store-context.ts";

/**
 * Frees the idempotency keys of decisions whose settlements ask for it.
 * @returns the settlements that must not take place, because a repeat has been answered with their decision
 */
export async function releaseKeys(
  inside: TransactionContext,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<Settlement>> {
  const releasing = settlements.filter(({ idempotencyKey }) => idempotencyKey !== "kept");
  if (releasing.length === 0) return new Set();
  const repeatedOf = await lockKeysOf(inside, releasing);
  const inUse = new Set(
    releasing.filter(
      ({ idempotencyKey, decision }) =>
        // If the decision does not hold its key any more, another row took the key. That caller knew the
        // decision and may have been given it.
        idempotencyKey === "released_unless_repeated" && repeatedOf.get(positionText(decision)) !== false,
    ),
  );
  const released = releasing.filter(
    (settlement) => !inUse.has(settlement) && repeatedOf.has(positionText(settlement.decision)),
  );
  if (released.length > 0) await deleteKeysOf(inside, released);
  return inUse;
}

/** Whether a repeat was answered with each decision that holds a key. Locks in key order, as batches do. */
async function lockKeysOf(
  { trx, dialect }: TransactionContext,
  settlements: readonly Settlement[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await trx
    .selectFrom("idempotency_keys")
    .select(["log_id", "seq", "repeated"])
    .where((eb) =>
      eb(
        eb.refTuple("log_id", "seq"),
        "in",
        settlements.map(({ decision }) => eb.tuple(decision.logId, decision.seq)),
      ),
    )
    .orderBy("org")
    .orderBy("key_digest")
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .execute();
  return new Map(
    rows.map(({ log_id, seq, repeated }) => [positionText({ logId: log_id, seq }), repeated !== 0]),
  );
}

async function deleteKeysOf({ trx }: TransactionContext, settlements: readonly Settlement[]): Promise<void> {
  await trx
    .deleteFrom("idempotency_keys")
    .where((eb) =>
      eb(
        eb.refTuple("log_id", "seq"),
        "in",
        settlements.map(({ decision }) => eb.tuple(decision.logId, decision.seq)),
      ),
    )
    .execute();
}

function positionText({ logId, seq }: RowPosition): string {
  return `${logId}.${String(seq)}`;
}
