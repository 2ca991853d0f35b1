import { parseRowText } from "@svc/audit-log/parse-row-text";
import type { DecisionRow } from "@svc/contract/audit-row";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { WITHDRAWN_DIGEST } from "@svc/contract/withdrawn-digest";
import { parseJson } from "@svc/text/parse-json";
import { sql } from "kysely";
import type {
  CallPage,
  CallRange,
  DecisionEvidence,
  EvidenceQuery,
  RecordedCallStore,
} from "../ports/recorded-call-store.ts";
import type { RowPosition } from "../ports/row-position.ts";
import { switchTargetsOf } from "./kill-switch-store.ts";
import type { StoreContext } from "./store-context.ts";

/** Rows of one page, as count: some 20 ms of the thread that decides them again. */
const ROWS_PER_PAGE = 2_000;

/** Bytes of one page: 1 MiB. One row that is longer is read by itself. */
const BYTES_PER_PAGE = 1024 * 1024;

export function createRecordedCallStore(context: StoreContext): RecordedCallStore {
  return {
    evidence: async (query) => evidence(context, query),
    ends: async () => {
      const logs = await context.db
        .selectFrom("audit_logs")
        .select(["log_id", "size"])
        .orderBy("log_id")
        .execute();
      return logs.map(({ log_id, size }) => ({ logId: log_id, size }));
    },
    page: async (range) => readPage(context, range),
    firstAt: async (range, time) => firstAt(context, range, time),
  };
}

async function evidence(
  context: StoreContext,
  { org, position, marginMs }: EvidenceQuery,
): Promise<DecisionEvidence | null> {
  const text = await rowText(context, position);
  if (text === null) return null;
  const reading = parseRowText(text);
  if (reading.kind !== "row" || reading.row.org !== org || reading.row.kind !== "decision") return null;
  const row = reading.row as unknown as DecisionRow;
  return {
    row: text,
    switches: await switchesAround(context, row, marginMs),
    withdrawn: await isWithdrawn(context, position),
    repeated: await isRepeated(context, position),
  };
}

async function rowText({ db }: StoreContext, { logId, seq }: RowPosition): Promise<string | null> {
  const row = await db
    .selectFrom("audit_rows")
    .select("bytes")
    .where("log_id", "=", logId)
    .where("seq", "=", seq)
    .executeTakeFirst();
  return row === undefined ? null : Buffer.from(row.bytes).toString("utf8");
}

/** A switch never changes its target, but it may have been active several times under other ids. */
async function switchesAround(
  { db }: StoreContext,
  row: DecisionRow,
  marginMs: number,
): Promise<readonly KillSwitchRecord[]> {
  const found = await db
    .selectFrom("kill_switches")
    .select("record")
    .where("org", "=", row.org)
    .where((eb) => eb.or([eb("target", "in", switchTargetsOf(row)), eb("id", "=", row.kill_switch_id ?? "")]))
    .orderBy("revision")
    .execute();
  const atMs = Date.parse(row.time);
  return found
    .map(({ record }) => parseJson(record) as KillSwitchRecord)
    .filter(
      ({ kill_switch_id: id, activated_at: start, ended_at: end }) =>
        id === row.kill_switch_id ||
        (Date.parse(start) <= atMs + marginMs && (end === null || Date.parse(end) >= atMs - marginMs)),
    );
}

async function isWithdrawn({ db }: StoreContext, { logId, seq }: RowPosition): Promise<boolean> {
  const outcome = await db
    .selectFrom("outcomes")
    .select("digest")
    .where("log_id", "=", logId)
    .where("seq", "=", seq)
    .executeTakeFirst();
  return outcome?.digest === WITHDRAWN_DIGEST;
}

async function isRepeated({ db }: StoreContext, { logId, seq }: RowPosition): Promise<boolean | null> {
  const keys = await db
    .selectFrom("idempotency_keys")
    .select("repeated")
    .where("log_id", "=", logId)
    .where("seq", "=", seq)
    .execute();
  return keys.length === 0 ? null : keys.some(({ repeated }) => repeated === 1);
}

async function readPage({ db }: StoreContext, { logId, from, end }: CallRange): Promise<CallPage> {
  const until = Math.min(end, from + ROWS_PER_PAGE);
  const lengths = new Uint32Array(Math.max(0, until - from));
  const sizes = await db
    .selectFrom("audit_rows")
    .select(["seq", sql<number>`octet_length(bytes)`.as("length")])
    .where("log_id", "=", logId)
    .where("seq", ">=", from)
    .where("seq", "<", until)
    .orderBy("seq")
    .execute();
  let total = 0;
  let last = until;
  for (const { seq, length } of sizes) {
    if (total > 0 && total + length > BYTES_PER_PAGE) {
      last = seq;
      break;
    }
    total += length;
  }
  const rows = await db
    .selectFrom("audit_rows")
    .select(["seq", "bytes"])
    .where("log_id", "=", logId)
    .where("seq", ">=", from)
    .where("seq", "<", last)
    .orderBy("seq")
    .execute();
  // A row may have been removed since the sizes were read.
  const bytes = new Uint8Array(rows.reduce((sum, row) => sum + row.bytes.length, 0));
  let at = 0;
  for (const row of rows) {
    bytes.set(row.bytes, at);
    lengths[row.seq - from] = row.bytes.length;
    at += row.bytes.length;
  }
  return { from, bytes, lengths: lengths.slice(0, last - from), next: last < end ? last : null };
}

async function firstAt(
  context: StoreContext,
  { logId, from, end }: CallRange,
  time: string,
): Promise<number> {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = await timeFrom(context, { logId, from: middle, end: high });
    if (at === null || at.time >= time) high = middle;
    else low = at.seq + 1;
  }
  return low;
}

/** The first row from a number on that the log still holds, and its time; null when there is none. */
async function timeFrom(
  { db }: StoreContext,
  { logId, from, end }: CallRange,
): Promise<{ readonly seq: number; readonly time: string } | null> {
  let next = from;
  for (;;) {
    const row = await db
      .selectFrom("audit_rows")
      .select(["seq", "bytes"])
      .where("log_id", "=", logId)
      .where("seq", ">=", next)
      .where("seq", "<", end)
      // Retention leaves rows without bytes: the database passes over them faster than this loop.
      .where(sql<number>`octet_length(bytes)`, ">", 0)
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return null;
    const reading = parseRowText(Buffer.from(row.bytes).toString("utf8"));
    if (reading.kind === "row" && typeof reading.row.time === "string")
      return { seq: row.seq, time: reading.row.time };
    next = row.seq + 1;
  }
}
