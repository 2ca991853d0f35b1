import type { Settlement } from "../ports/ledger.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { TransactionContext } from "./store-context.ts";

/**
 * Makes the grants that these decisions used usable again, where the settlement asks for it. One that was
 * revoked covers 0 calls and stays unusable.
 */
export async function releaseGrants(
  { trx, dialect }: TransactionContext,
  settlements: readonly Settlement[],
): Promise<void> {
  const releasing = settlements.filter(({ grant }) => grant === "released");
  if (releasing.length === 0) return;
  const rows = releasing.map(({ decision }) => decision);
  // Locked in key order, as batches do.
  const found = await trx
    .selectFrom("grants")
    .select(["org", "approval_id", "max_uses"])
    .where((is) =>
      is.or([
        is(
          is.refTuple("used_log_id", "used_seq"),
          "in",
          rows.map(({ logId, seq }) => is.tuple(logId, seq)),
        ),
        is(
          is.refTuple("org", "approval_id"),
          "in",
          is
            .selectFrom("grant_uses as u")
            .select(["u.org", "u.approval_id"])
            .where((use) =>
              use(
                use.refTuple("u.log_id", "u.seq"),
                "in",
                rows.map(({ logId, seq }) => use.tuple(logId, seq)),
              ),
            )
            .$asTuple("org", "approval_id"),
        ),
      ]),
    )
    .orderBy("org")
    .orderBy("approval_id")
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .execute();
  for (const { org, approval_id: id, max_uses: maxUses } of found) {
    const released = maxUses === 1 ? 1 : Math.max(1, await forgetUses(trx, { org, id }, rows));
    await trx
      .updateTable("grants")
      .set((is) => ({
        used_log_id: null,
        used_seq: null,
        uses: is
          .case()
          .when("uses", ">", released)
          .then(is("uses", "-", released))
          .else(0)
          .end(),
      }))
      .where("org", "=", org)
      .where("approval_id", "=", id)
      .execute();
  }
}

/** Removes the uses of a grant by these rows. @returns how many there were */
async function forgetUses(
  trx: TransactionContext["trx"],
  { org, id }: { readonly org: string; readonly id: string },
  rows: readonly RowPosition[],
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("grant_uses")
    .where("org", "=", org)
    .where("approval_id", "=", id)
    .where((is) =>
      is(
        is.refTuple("log_id", "seq"),
        "in",
        rows.map(({ logId, seq }) => is.tuple(logId, seq)),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
