import type { Kysely } from "kysely";
import type { StoredRow } from "../ports/audit-store.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { Tables } from "./tables.ts";

/** The rows at some positions, in any order, with one query for each log. Missing rows are left out. */
export async function rowsAt(
  db: Kysely<Tables>,
  positions: readonly RowPosition[],
): Promise<readonly StoredRow[]> {
  const found: StoredRow[] = [];
  for (const [logId, own] of Map.groupBy(positions, (position) => position.logId)) {
    const rows = await db
      .selectFrom("audit_rows")
      .select(["seq", "prev_hash", "hash", "bytes"])
      .where("log_id", "=", logId)
      .where(
        "seq",
        "in",
        own.map(({ seq }) => seq),
      )
      .execute();
    for (const { seq, prev_hash, hash, bytes } of rows)
      found.push({ logId, seq, prevHash: prev_hash, hash, bytes });
  }
  return found;
}
