import { parseRemoval, REMOVAL_BLOCK_ROWS, type SeqRange } from "@svc/audit-log/removal";
import { emptyRemovalDigest, nextRemovalDigest } from "@svc/audit-log/removal-digest";
import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import { parseJson } from "@svc/text/parse-json";
import { sql } from "kysely";
import type { AuditStore } from "../ports/audit-store.ts";
import type {
  RemovalChange,
  RetentionFinding,
  RetentionQuery,
  RetentionStore,
  RowRemoval,
} from "../ports/retention-store.ts";
import { changeControl } from "./change-control.ts";
import { type RetentionRules, removableRows } from "./removable-rows.ts";
import type { StoreContext, TransactionContext } from "./store-context.ts";
import { storedRemovals } from "./stored-removals.ts";

/** Removals take turns with the changes of organizations. */
const RETENTION_LANE = "retention";

/** PostgreSQL's lock that lets one process remove rows at a time. The number is arbitrary. */
const RETENTION_LOCK = 7_361_920_452;

export function createRetentionStore(context: StoreContext, audit: Pick<AuditStore, "rows">): RetentionStore {
  return {
    emptyBlocks: async (logId) => emptyBlocks(context, logId),
    removedRanges: async (logId) => removedRanges(context, logId),
    removable: async (query) => removable(context, audit, query),
    remove: async (change) => remove(context, change),
    scrub: async () => scrub(context),
  };
}

/**
 * Moves the write-ahead log into the database file, where the removed bytes are overwritten, and empties it.
 * It never waits for a reader: the writer has calls to serve.
 */
async function scrub({ db, dialect }: StoreContext): Promise<boolean> {
  if (dialect === "postgres") return true;
  const before = await sql<{ readonly timeout: number }>`PRAGMA busy_timeout`.execute(db);
  await sql`PRAGMA busy_timeout = 0`.execute(db);
  try {
    const { rows } = await sql<{ readonly busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
    return rows[0]?.busy === 0;
  } finally {
    await sql`PRAGMA busy_timeout = ${sql.lit(before.rows[0]?.timeout ?? 0)}`.execute(db);
  }
}

async function emptyBlocks({ db }: StoreContext, logId: string): Promise<readonly number[]> {
  const block = sql<number>`first_seq / ${sql.lit(REMOVAL_BLOCK_ROWS)}`;
  const rows = await db
    .selectFrom("audit_removals")
    .select(block.as("block"))
    .where("log_id", "=", logId)
    .groupBy(block)
    .having((query) => query.fn.sum("removed_rows"), "=", REMOVAL_BLOCK_ROWS)
    .orderBy(block)
    .execute();
  return rows.map((row) => row.block);
}

async function removedRanges({ db }: StoreContext, logId: string): Promise<readonly SeqRange[]> {
  const removals = await storedRemovals(db, logId, { from: 0, to: Number.MAX_SAFE_INTEGER });
  const all = removals
    .flatMap(({ note }) => parseRemoval(note)?.ranges ?? [])
    .toSorted((left, right) => left.from - right.from);
  const merged: SeqRange[] = [];
  for (const { from, to } of all) {
    const last = merged.at(-1);
    if (last?.to === from - 1) merged[merged.length - 1] = { from: last.from, to };
    else merged.push({ from, to });
  }
  return merged;
}

async function removable(
  context: StoreContext,
  audit: Pick<AuditStore, "rows">,
  { logId, block, days, nowMs }: RetentionQuery,
): Promise<RetentionFinding> {
  const { db } = context;
  const from = block * REMOVAL_BLOCK_ROWS;
  const signed = await signedSize(db, logId);
  const limit = Math.min(REMOVAL_BLOCK_ROWS, signed - from);
  if (limit <= 0) return { kind: "young" };
  const range = { logId, from, to: from + limit - 1 };
  const rows = await audit.rows(logId, from, limit);
  const { guard, ...rules } = await readRules(db);
  const needed = await neededRows(db, range, nowMs);
  const settled = await settledRows(db, range);
  const finding = removableRows(logId, rows, { days, nowMs, needed, settled, ...rules });
  return finding.kind === "removable" ? { ...finding, guard } : finding;
}

async function signedSize(db: StoreContext["db"], logId: string): Promise<number> {
  const { size } = await db
    .selectFrom("checkpoints")
    .select((query) => query.fn.max("size").as("size"))
    .where("log_id", "=", logId)
    .executeTakeFirstOrThrow();
  return Number(size ?? 0);
}

/** Holds and settings, and a text that differs when any of them does. */
async function readRules(
  db: StoreContext["db"],
): Promise<Pick<RetentionRules, "namespaceDays" | "holds"> & { readonly guard: string }> {
  const holds = await db
    .selectFrom("legal_holds")
    .select(["org", "record"])
    .where("lifted_at", "is", null)
    .orderBy("org")
    .orderBy("id")
    .execute();
  const settings = await db
    .selectFrom("rogue_detection_settings")
    .select(["org", "namespace_id", "settings"])
    .orderBy("org")
    .orderBy("namespace_id")
    .execute();
  const namespaceDays = settings.map(({ org, namespace_id, settings: text }) => {
    const { escalation } = parseJson(text) as RogueDetectionSettings;
    return [`${org}\n${namespace_id}`, escalation.audit_retention_days] as const;
  });
  return {
    holds: holds.map(({ org, record }) => ({ ...(parseJson(record) as LegalHoldRecord), org })),
    namespaceDays: new Map(namespaceDays),
    guard: JSON.stringify([holds.map(({ record }) => record), namespaceDays]),
  };
}

interface LogRange {
  readonly logId: string;
  readonly from: number;
  readonly to: number;
}

/** Rows that a repeat of a call, an open approval or a grant that still works leads back to. */
async function neededRows(
  db: StoreContext["db"],
  { logId, from, to }: LogRange,
  nowMs: number,
): Promise<ReadonlySet<number>> {
  const keys = db
    .selectFrom("idempotency_keys")
    .select("seq")
    .where("log_id", "=", logId)
    .where("seq", ">=", from)
    .where("seq", "<=", to)
    .where("expires_at_ms", ">", nowMs);
  const approvals = db
    .selectFrom("approvals")
    .select("seq")
    .where("log_id", "=", logId)
    .where("seq", ">=", from)
    .where("seq", "<=", to)
    .where((is) => is.or([is("status", "in", ["pending", "suspended"]), is("expires_at_ms", ">", nowMs)]));
  const approved = db
    .selectFrom("grants")
    .innerJoin("approvals", (join) =>
      join.onRef("approvals.org", "=", "grants.org").onRef("approvals.id", "=", "grants.approval_id"),
    )
    .select("approvals.seq as seq")
    .where("approvals.log_id", "=", logId)
    .where("approvals.seq", ">=", from)
    .where("approvals.seq", "<=", to)
    .where("grants.expires_at_ms", ">", nowMs);
  const used = db
    .selectFrom("grants")
    .select((column) => column.ref("used_seq").$notNull().as("seq"))
    .where("used_log_id", "=", logId)
    .where("used_seq", ">=", from)
    .where("used_seq", "<=", to)
    .where("expires_at_ms", ">", nowMs);
  const shared = db
    .selectFrom("grant_uses")
    .innerJoin("grants", (join) =>
      join
        .onRef("grants.org", "=", "grant_uses.org")
        .onRef("grants.approval_id", "=", "grant_uses.approval_id"),
    )
    .select("grant_uses.seq as seq")
    .where("grant_uses.log_id", "=", logId)
    .where("grant_uses.seq", ">=", from)
    .where("grant_uses.seq", "<=", to)
    .where("grants.expires_at_ms", ">", nowMs);
  const found = await keys.unionAll(approvals).unionAll(approved).unionAll(used).unionAll(shared).execute();
  return new Set(found.map(({ seq }) => seq));
}

async function settledRows(
  db: StoreContext["db"],
  { logId, from, to }: LogRange,
): Promise<ReadonlySet<number>> {
  const found = await db
    .selectFrom("outcomes")
    .select("seq")
    .where("log_id", "=", logId)
    .where("seq", ">=", from)
    .where("seq", "<=", to)
    .execute();
  return new Set(found.map(({ seq }) => seq));
}

async function remove(
  context: StoreContext,
  { logId, guard, removals }: RemovalChange,
): ReturnType<RetentionStore["remove"]> {
  return changeControl(context, RETENTION_LANE, async (control) => {
    if (!(await takeLock(control))) return "busy";
    if ((await readRules(control.trx)).guard !== guard) return "changed";
    for (const removal of removals) if (!(await isUnchanged(control, logId, removal))) return "changed";
    for (const removal of removals) await removeRows(control, logId, removal);
    const [first] = removals;
    const auditRows = removals.map(({ auditRow }) => auditRow);
    if (first !== undefined) await control.announce({ org: first.org, auditRows, changes: [] });
    return "removed";
  });
}

async function takeLock({ trx, dialect }: TransactionContext): Promise<boolean> {
  if (dialect === "sqlite") return true;
  const { rows } = await sql<{
    taken: boolean;
  }>`SELECT pg_try_advisory_xact_lock(${RETENTION_LOCK}) AS taken`.execute(trx);
  return rows[0]?.taken === true;
}

/** Whether the rows still have their content and the hashes that the statement was signed for. */
async function isUnchanged(
  { trx }: TransactionContext,
  logId: string,
  { org, ranges, rows, digest }: RowRemoval,
): Promise<boolean> {
  let found = emptyRemovalDigest(logId, org);
  let count = 0;
  for (const { from, to } of ranges) {
    const present = await trx
      .selectFrom("audit_rows")
      .select(["seq", "hash"])
      .where("log_id", "=", logId)
      .where("seq", ">=", from)
      .where("seq", "<=", to)
      .where(sql<number>`octet_length(bytes)`, ">", 0)
      .orderBy("seq")
      .execute();
    for (const { seq, hash } of present) found = nextRemovalDigest(found, seq, hash);
    count += present.length;
  }
  return count === rows && Buffer.compare(found, digest) === 0;
}

/** A bound empty array would be NULL on SQLite. */
const NO_BYTES = { sqlite: "x''", postgres: "''::bytea" } as const;

async function removeRows(
  { trx, dialect }: TransactionContext,
  logId: string,
  { org, ranges, rows, note }: RowRemoval,
): Promise<void> {
  for (const { from, to } of ranges) {
    await trx
      .updateTable("audit_rows")
      .set({ bytes: sql<Uint8Array>`${sql.raw(NO_BYTES[dialect])}` })
      .where("log_id", "=", logId)
      .where("seq", ">=", from)
      .where("seq", "<=", to)
      .execute();
  }
  const firstSeq = ranges[0]?.from ?? 0;
  await trx
    .insertInto("audit_removals")
    .values({ log_id: logId, first_seq: firstSeq, org, removed_rows: rows, note })
    .execute();
}
