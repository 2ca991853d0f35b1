import type { Settlement } from "../ports/ledger.ts";
import type { TransactionContext } from "./store-context.ts";

/** Makes the grants that these decisions used usable again, where the settlement asks for it. */
export async function releaseGrants(
  { trx, dialect }: TransactionContext,
  settlements: readonly Settlement[],
): Promise<void> {
  const releasing = settlements.filter(({ grant }) => grant === "released");
  if (releasing.length === 0) return;
  // Locked in key order, as batches do.
  const used = await trx
    .selectFrom("grants")
    .select(["org", "approval_id"])
    .where((eb) =>
      eb(
        eb.refTuple("used_log_id", "used_seq"),
        "in",
        releasing.map(({ decision }) => eb.tuple(decision.logId, decision.seq)),
      ),
    )
    .orderBy("org")
    .orderBy("approval_id")
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .execute();
  if (used.length === 0) return;
  await trx
    .updateTable("grants")
    .set({ used_log_id: null, used_seq: null })
    .where((eb) =>
      eb(
        eb.refTuple("org", "approval_id"),
        "in",
        used.map(({ org, approval_id }) => eb.tuple(org, approval_id)),
      ),
    )
    .execute();
}
