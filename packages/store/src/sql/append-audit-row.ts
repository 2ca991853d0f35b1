import { rowHash } from "@svc/audit-log/row-hash";
import { sql } from "kysely";
import { requireEpoch } from "../epoch.ts";
import type { TransactionContext } from "./store-context.ts";

const encoder = new TextEncoder();

/** Appends one row to this writer's chain. Locks the head, so that rows of concurrent transactions queue up. */
export async function appendAuditRow(inside: TransactionContext, row: string): Promise<void> {
  const { trx, logId } = inside;
  const head = await lockHead(inside);
  const bytes = encoder.encode(row);
  const hash = rowHash(head.head_hash, bytes);
  await trx
    .insertInto("audit_rows")
    .values({ log_id: logId, seq: head.size, prev_hash: head.head_hash, hash, bytes })
    .execute();
  await trx
    .updateTable("audit_logs")
    .set({ size: head.size + 1, head_hash: hash })
    .where("log_id", "=", logId)
    .execute();
}

async function lockHead(inside: TransactionContext): Promise<{ size: number; head_hash: Uint8Array }> {
  const { trx, dialect, logId } = inside;
  const head = await trx
    .selectFrom("audit_logs")
    .select(["size", "head_hash", "epoch"])
    .where("log_id", "=", logId)
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  requireEpoch({ logId, held: inside.epoch, found: head.epoch });
  return head;
}

/** Rewrites the head as it is: proves that this writer can write now, and that the log is still its own. */
export async function touchHead(inside: TransactionContext): Promise<void> {
  const { size } = await lockHead(inside);
  await inside.trx
    .updateTable("audit_logs")
    .set({ size: sql<number>`${size}` })
    .where("log_id", "=", inside.logId)
    .execute();
}
