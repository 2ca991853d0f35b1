import { ROW_BEGINS } from "@svc/audit-log/row-begins";
import { canonicalJson } from "@svc/text/canonical-json";
import { type RawBuilder, sql } from "kysely";
import type { WantedDecisions, WantedRows } from "../ports/event-rows.ts";
import type { RowSpan, RowsOfSpan } from "../row-page.ts";
import type { Dialect, StoreContext } from "./store-context.ts";
import { storedRow } from "./stored-row.ts";

/** Rows that one read goes over, as count: some ten milliseconds where none of them is wanted. */
const MAX_PASSED = 20_000;

/** Bytes of a row in which the name of its agent ends: every character of the longest one can be escaped. */
const NAME_BYTES = 1_024;

/** Names and filters of decisions that one read compares, as count. With more, it takes every decision. */
const MAX_COMPARED = 2_000;

/**
 * The rows of a log that are wanted. What a row begins with, and texts that it must contain, say which ones
 * cannot be: these are left out before anything reads them as JSON. Rows without content are not left out.
 */
export async function wantedRows(
  { db, dialect }: Pick<StoreContext, "db" | "dialect">,
  { logId, start, size, limit, maxBytes }: RowSpan,
  wanted: WantedRows,
): Promise<RowsOfSpan> {
  const last = Math.min(size, start + MAX_PASSED);
  const found = await db
    .selectFrom("audit_rows")
    .select(["seq", sql<number>`octet_length(bytes)`.as("length")])
    .where("log_id", "=", logId)
    .where("seq", ">=", start)
    .where("seq", "<", last)
    .where(mayBeWanted(dialect, wanted))
    .orderBy("seq")
    .limit(limit)
    .execute();
  let bytes = 0;
  const tooMany = found.findIndex(({ length }, index) => {
    bytes += length;
    return index > 0 && bytes > maxBytes;
  });
  const taken = tooMany === -1 ? found : found.slice(0, tooMany);
  const isFull = taken.length < found.length || taken.length === limit;
  const end = isFull ? (taken.at(-1)?.seq ?? last - 1) + 1 : last;
  return {
    rows: await readRows(db, logId, taken),
    end,
    missing: end - start - (await countRows(db, logId, { start, end })),
  };
}

type Database = StoreContext["db"];

async function readRows(db: Database, logId: string, places: readonly { readonly seq: number }[]) {
  if (places.length === 0) return [];
  const seqs = places.map(({ seq }) => seq);
  const found = await db
    .selectFrom("audit_rows")
    .selectAll()
    .where("log_id", "=", logId)
    .where("seq", "in", seqs)
    .orderBy("seq")
    .execute();
  return found.map(storedRow);
}

async function countRows(
  db: Database,
  logId: string,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<number> {
  const { count } = await db
    .selectFrom("audit_rows")
    .select((query) => query.fn.countAll().as("count"))
    .where("log_id", "=", logId)
    .where("seq", ">=", start)
    .where("seq", "<", end)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** True also of each row that these few comparisons say nothing of. */
function mayBeWanted(dialect: Dialect, { kinds, decisions }: WantedRows): RawBuilder<boolean> {
  const terms = [sql<boolean>`TRUE`];
  if (kinds !== null && !kinds.includes("outcome")) terms.push(sql`NOT ${begins(ROW_BEGINS.outcome)}`);
  const those = kinds === null || kinds.includes("decision") ? decisions : [];
  if (those !== null && countCompared(those) <= MAX_COMPARED) {
    const name = nameOfDecision(dialect);
    // The name is null of a row that is not a decision.
    const fits = anyTrue(those.map((each) => fitsDecision(dialect, name, each)));
    terms.push(sql`(${name} IS NULL OR ${fits})`);
  }
  return sql`(${sql.join(terms, sql` AND `)})`;
}

function countCompared(all: readonly WantedDecisions[]): number {
  const lists = all.flatMap(({ agents, namespaces, decisions }) => [agents, namespaces, decisions]);
  return lists.reduce((sum, list) => sum + 1 + (list?.length ?? 0), 0);
}

/** Where the first string of a row ends, and the name of another member begins. */
const STRING_ENDS = '","';

/** The name of the agent as JSON, where the row begins as that of a decision does. */
function nameOfDecision(dialect: Dialect): RawBuilder<Uint8Array | null> {
  const { decision, decisionOn } = ROW_BEGINS;
  const start = sql.lit(decision.length + 1);
  const end = placeOf(dialect, STRING_ENDS, sql`substr(bytes, 1, ${sql.lit(NAME_BYTES)})`);
  return sql`CASE WHEN ${begins(decision)} AND ${end} > 0
    AND substr(bytes, ${end} + 1, ${sql.lit(decisionOn.length)}) = ${blob(decisionOn)}
    THEN substr(bytes, ${start}, ${end} + 1 - ${start}) END`;
}

function fitsDecision(
  dialect: Dialect,
  name: RawBuilder<Uint8Array | null>,
  { org, agents, namespaces, decisions }: WantedDecisions,
): RawBuilder<boolean> {
  const anyOf = (member: string, values: readonly (string | null)[]) =>
    anyTrue(values.map((value) => sql`${placeOf(dialect, memberText(member, value), sql`bytes`)} > 0`));
  const terms: RawBuilder<boolean>[] = [];
  if (agents !== null) terms.push(isOneOf(name, agents.map(canonicalJson)));
  if (decisions !== null) terms.push(anyOf("decision", decisions));
  if (namespaces !== null) terms.push(anyOf("namespace", [...namespaces, null]));
  terms.push(anyOf("org", [org]));
  return sql`(${sql.join(terms, sql` AND `)})`;
}

function anyTrue(terms: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return terms.length === 0 ? sql`FALSE` : sql`(${sql.join(terms, sql` OR `)})`;
}

function isOneOf(name: RawBuilder<unknown>, texts: readonly string[]): RawBuilder<boolean> {
  return texts.length === 0 ? sql`FALSE` : sql`${name} IN (${sql.join(texts.map(blob))})`;
}

/** As the text of a row has it. Arguments may contain the same: the row is then read, and judged again. */
function memberText(name: string, value: string | null): string {
  return `"${name}":${canonicalJson(value)}`;
}

function begins(text: string): RawBuilder<boolean> {
  return sql`(substr(bytes, 1, ${sql.lit(Buffer.byteLength(text))}) = ${blob(text)})`;
}

/** From 1 on; 0: it does not contain it. */
function placeOf(dialect: Dialect, text: string, value: RawBuilder<unknown>): RawBuilder<number> {
  return dialect === "postgres"
    ? sql`position(${blob(text)} in ${value})`
    : sql`instr(${value}, ${blob(text)})`;
}

function blob(text: string): RawBuilder<Uint8Array> {
  return sql`${Buffer.from(text)}`;
}
