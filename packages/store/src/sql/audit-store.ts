import { sql } from "kysely";
import type { AuditStore, LogHead, StoredCheckpoint } from "../ports/audit-store.ts";
import { eventRows } from "./event-rows.ts";
import { excerptRows } from "./excerpt-rows.ts";
import { exportRows } from "./export-rows.ts";
import { forwardedRows } from "./forwarded-rows.ts";
import { ocsfRows } from "./ocsf-rows.ts";
import { ownersOfRemoved } from "./removed-rows.ts";
import type { StoreContext } from "./store-context.ts";
import { storedRemovals } from "./stored-removals.ts";
import { storedRow } from "./stored-row.ts";
import { verifierKeyStore } from "./verifier-key-store.ts";
import { wantedRows } from "./wanted-rows.ts";

export function createAuditStore(context: StoreContext): AuditStore {
  const { db } = context;
  const rows: AuditStore["rows"] = async (logId, fromSeq, limit, maxBytes) => {
    const range = { logId, fromSeq, limit };
    const count = maxBytes === undefined ? limit : await rowsWithin(context, { ...range, maxBytes });
    const found = await db
      .selectFrom("audit_rows")
      .selectAll()
      .where("log_id", "=", logId)
      .where("seq", ">=", fromSeq)
      .orderBy("seq")
      .limit(count)
      .execute();
    return found.map(storedRow);
  };
  const checkpoints: AuditStore["checkpoints"] = async (logId, afterSize, limit) => {
    const found = await db
      .selectFrom("checkpoints")
      .selectAll()
      .where("log_id", "=", logId)
      .where("size", ">", afterSize)
      .orderBy("size")
      .limit(limit)
      .execute();
    return found.map(({ log_id, size, note }) => ({ logId: log_id, size, note }));
  };
  const heads: AuditStore["heads"] = async () => readHeads(context);
  const row: AuditStore["row"] = async ({ logId, seq }) => {
    const found = await db
      .selectFrom("audit_rows")
      .selectAll()
      .where("log_id", "=", logId)
      .where("seq", "=", seq)
      .executeTakeFirst();
    return found === undefined ? null : storedRow(found);
  };
  return {
    heads,
    ownHead: async () => ownHead(context),
    rows,
    exportRows: async (range) =>
      exportRows({ rows, removals: (logId, seqs) => storedRemovals(db, logId, seqs) }, range),
    ocsfRows: async (range) => ocsfRows(rows, range),
    excerptRows: async (range) => {
      const ownerOfRemoved = ownersOfRemoved(db, range.logId, range.keys);
      return excerptRows({ rows, checkpoints, ownerOfRemoved }, range);
    },
    eventRows: async (query) =>
      eventRows(
        { heads, rows, row, wantedRows: async (span, wanted) => wantedRows(context, span, wanted) },
        query,
      ),
    forwardedRows: async (query) => forwardedRows({ heads, rows }, query),
    row,
    appendCheckpoint: async (checkpoint) => appendCheckpoint(context, checkpoint),
    checkpoints,
    checkpointAhead: async (logId, size) => (await checkpoints(logId, size, 1))[0] ?? null,
    ...verifierKeyStore(context),
  };
}

async function readHeads({ db }: StoreContext): Promise<readonly LogHead[]> {
  const found = await db
    .selectFrom("audit_logs")
    .select(["log_id", "size", "head_hash"])
    .orderBy("log_id")
    .execute();
  return found.map(({ log_id, size, head_hash }) => ({ logId: log_id, size, hash: head_hash }));
}

function ownHead({ logId, head: { acknowledged } }: StoreContext): LogHead | null {
  return acknowledged === null ? null : { logId, ...acknowledged };
}

interface RowRange {
  readonly logId: string;
  readonly fromSeq: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** How many of the rows fit, at least 1. Neither database reads a row's bytes to find their length. */
async function rowsWithin(
  { db }: StoreContext,
  { logId, fromSeq, limit, maxBytes }: RowRange,
): Promise<number> {
  const lengths = await db
    .selectFrom("audit_rows")
    .select(sql<number>`octet_length(bytes)`.as("length"))
    .where("log_id", "=", logId)
    .where("seq", ">=", fromSeq)
    .orderBy("seq")
    .limit(limit)
    .execute();
  let bytes = 0;
  const tooMany = lengths.findIndex(({ length }) => {
    bytes += length;
    return bytes > maxBytes;
  });
  return Math.max(1, tooMany === -1 ? limit : tooMany);
}

/**
 * A checkpoint is written once. The same checkpoint again is a repeat; another one of the same size would be
 * a second history.
 */
async function appendCheckpoint(
  { db }: StoreContext,
  { logId, size, note }: StoredCheckpoint,
): Promise<void> {
  await db
    .insertInto("checkpoints")
    .values({ log_id: logId, size, note })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await db
    .selectFrom("checkpoints")
    .select("note")
    .where("log_id", "=", logId)
    .where("size", "=", size)
    .executeTakeFirstOrThrow();
  if (stored.note !== note) {
    throw new Error(`checkpoint of ${logId} at ${String(size)} rows: another note is stored for that size`);
  }
}
