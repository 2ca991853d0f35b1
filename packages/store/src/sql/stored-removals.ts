import type { SeqRange } from "@svc/audit-log/removal";
import type { StoredRemoval } from "../ports/stored-removal.ts";
import type { StoreContext } from "./store-context.ts";

/** The statements whose first row is in the range, by their first rows. */
export async function storedRemovals(
  db: StoreContext["db"],
  logId: string,
  { from, to }: SeqRange,
): Promise<readonly StoredRemoval[]> {
  const found = await db
    .selectFrom("audit_removals")
    .select(["first_seq", "org", "note"])
    .where("log_id", "=", logId)
    .where("first_seq", ">=", from)
    .where("first_seq", "<=", to)
    .orderBy("first_seq")
    .execute();
  return found.map(({ first_seq, org, note }) => ({ logId, firstSeq: first_seq, org, note }));
}
