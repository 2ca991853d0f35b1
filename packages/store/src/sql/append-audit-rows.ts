import { rowHash } from "@svc/audit-log/row-hash";
import { type Insertable, sql } from "kysely";
import { requireEpoch } from "../epoch.ts";
import { prepared } from "./prepared.ts";
import type { TransactionContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

/**
 * Appends rows to this writer's chain. Locks the head, so that rows of concurrent transactions queue up.
 * `rows` holds at least one. Once per transaction.
 * @returns the number of the first one
 * @throws when the log was taken over or set back.
 */
export async function appendAuditRows(inside: TransactionContext, rows: readonly string[]): Promise<number> {
  const { trx, logId } = inside;
  const { firstSeq, values, head } = await linkAuditRows(inside, rows);
  await trx.insertInto("audit_rows").values(values).execute();
  await trx.updateTable("audit_logs").set(head).where("log_id", "=", logId).execute();
  return firstSeq;
}

/** Rows that continue the chain, and its head after them. */
interface LinkedRows {
  readonly firstSeq: number;
  readonly values: readonly Insertable<Tables["audit_rows"]>[];
  readonly head: { readonly size: number; readonly head_hash: Uint8Array };
}

/**
 * Locks the head and links the rows to it. The caller writes both. `rows` holds at least one. Once per
 * transaction.
 * @throws when the log was taken over or set back.
 */
export async function linkAuditRows(
  inside: TransactionContext,
  rows: readonly string[],
): Promise<LinkedRows> {
  const { size: firstSeq, head_hash: headHash } = await lockHead(inside);
  let previous = headHash;
  const values = rows.map((row, index) => {
    const bytes = Buffer.from(row, "utf8");
    const hash = rowHash(previous, bytes);
    const value = { log_id: inside.logId, seq: firstSeq + index, prev_hash: previous, hash, bytes };
    previous = hash;
    return value;
  });
  const size = firstSeq + rows.length;
  inside.noteHead({ size, hash: previous });
  return { firstSeq, values, head: { size, head_hash: previous } };
}

/** Rewrites the head as it is: proves that this writer can write now, and that the log is still its own. */
export async function touchHead(inside: TransactionContext): Promise<void> {
  const { size } = await lockHead(inside);
  await inside.trx.updateTable("audit_logs").set({ size }).where("log_id", "=", inside.logId).execute();
}

interface AuditHead {
  readonly size: number;
  readonly head_hash: Uint8Array;
  readonly epoch: number;
}

async function lockHead(inside: TransactionContext): Promise<{ size: number; head_hash: Uint8Array }> {
  const { trx, dialect, logId } = inside;
  const lock = dialect === "postgres" ? sql`FOR UPDATE` : sql``;
  const { rows } = await sql<AuditHead>`
    ${prepared("svc-lock-log")}
    SELECT size, head_hash, epoch FROM audit_logs WHERE log_id = ${logId} ${lock}`.execute(trx);
  const [head] = rows;
  if (head === undefined) throw new Error(`audit log ${logId}: its head is missing`);
  requireEpoch({ logId, held: inside.epoch, found: head.epoch });
  const acknowledged = inside.head.require({ size: head.size, hash: head.head_hash });
  if (acknowledged !== null) {
    const last = await trx
      .selectFrom("audit_rows")
      .select("hash")
      .where("log_id", "=", logId)
      .where("seq", "=", acknowledged.size - 1)
      .executeTakeFirst();
    inside.head.requireRow(acknowledged, last?.hash ?? null);
  }
  return head;
}
