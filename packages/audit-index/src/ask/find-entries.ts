import type { AuditFilter } from "@svc/contract/audit-query";
import type { EntryOrder } from "../audit-answers.ts";
import { foldText } from "../database/fold-text.ts";
import { type IndexDatabase, integer, type Value } from "../database/index-database.ts";
import { REASONS } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { choosePath } from "./choose-path.ts";
import { rangeValues, readIndex, type SearchRange } from "./read-index.ts";
import { type ColumnFilter, columnFilters } from "./search-columns.ts";

/**
 * Entries that one search may look at, as count. A search whose filters rarely match together then answers
 * what it has found, and from where to go on. Looking at one takes 2 to 5 microseconds.
 */
const SCAN_BUDGET = 4_000;

/** Different reasons that a text may be found in for the search to go by reason, as count. */
const MAX_REASONS = 32;

/** Different reasons of one organization that a text is looked for in, as count. */
const MAX_REASONS_READ = 5_000;

export interface EntrySearch {
  readonly org: string;
  readonly filter: AuditFilter;
  readonly limit: number;
  readonly before: EntryOrder | null;
}

export interface FoundEntries {
  /** Newest first; one more than the limit when there are more. */
  readonly entries: readonly EntryOrder[];
  /** Where the search stopped; every match before it is in `entries`. Null: it reached the end. */
  readonly stop: EntryOrder | null;
}

/** A search over one index: the filter whose index is read, and the filters of what is read there. */
export interface SearchPath {
  readonly drive: ColumnFilter;
  readonly others: readonly ColumnFilter[];
  /** Folded; null when the drive already sees to the text. */
  readonly text: string | null;
}

/** Behind every entry. */
const NEWEST: EntryOrder = { at: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER };

/** The entries that fit, newest first, from one index and within the budget. */
export async function findEntries(database: IndexDatabase, search: EntrySearch): Promise<FoundEntries> {
  const { org, filter, limit } = search;
  const range = rangeOf(search);
  const columns = columnFilters(org, filter);
  if (columns.some(({ values }) => values.length === 0)) return { entries: [], stop: null };
  const text = filter.text === null ? null : foldText(filter.text);
  const reasons = text === null ? null : await reasonsWith(database, org, text);
  if (reasons?.length === 0) return { entries: [], stop: null };
  const byReason: readonly ColumnFilter[] = reasons === null ? [] : [{ column: "reason", values: reasons }];
  const all = [...columns, ...byReason];
  const whole: ColumnFilter = { column: "org", values: [nameDigest("org", org, "")] };
  const drive = all.length === 0 ? whole : await choosePath(database, all, range);
  const others = all.filter((candidate) => candidate !== drive);
  const path: SearchPath = { drive, others, text: reasons === null ? text : null };
  const perValue = Math.max(limit + 1, Math.floor(SCAN_BUDGET / drive.values.length));
  const arms = [];
  for (const value of drive.values)
    arms.push(await searchArm(database, { path, value, range, limit, budget: perValue }));
  return mergeArms(arms, limit);
}

function rangeOf({ filter, before }: EntrySearch): SearchRange {
  const { sinceMs, untilMs } = filter;
  const until: EntryOrder = untilMs === null ? NEWEST : { at: untilMs, place: -1 };
  const start = before !== null && isBehind(before, until) ? before : until;
  return { before: start, sinceMs: sinceMs ?? Number.MIN_SAFE_INTEGER };
}

/** Whether an entry comes later in the list, which means that it is older. */
function isBehind(one: EntryOrder, other: EntryOrder): boolean {
  return one.at < other.at || (one.at === other.at && one.place < other.place);
}

/** The reasons that hold the text; null when they are too many to go by. */
async function reasonsWith(
  database: IndexDatabase,
  org: string,
  folded: string,
): Promise<readonly number[] | null> {
  const digest = nameDigest("org", org, "");
  const most = String(MAX_REASONS_READ + 1);
  const read = `SELECT reason, folded FROM ${REASONS.name} WHERE org = ?1 LIMIT ${most}`;
  const counted = await database.all(`SELECT count(*) AS n FROM (${read}) AS r`, [digest]);
  if (counted[0] === undefined || integer(counted[0], "n") > MAX_REASONS_READ) return null;
  const rows = await database.all(
    `SELECT reason FROM (${read}) AS r WHERE ${database.position}(folded, ?2) > 0
      LIMIT ${String(MAX_REASONS + 1)}`,
    [digest, folded],
  );
  return rows.length > MAX_REASONS ? null : rows.map((row) => integer(row, "reason"));
}

interface Arm {
  readonly found: readonly EntryOrder[];
  readonly stop: EntryOrder | null;
}

interface ArmSearch {
  readonly path: SearchPath;
  readonly value: number;
  readonly range: SearchRange;
  readonly limit: number;
  readonly budget: number;
}

/** What one value of the drive leads to. */
async function searchArm(database: IndexDatabase, arm: ArmSearch): Promise<Arm> {
  const { path, value, range, limit, budget } = arm;
  const isNarrowed = path.others.length > 0 || path.text !== null;
  const values: Value[] = rangeValues(value, range);
  const columns = [...new Set(["reason" as const, ...path.others.map(({ column }) => column)])];
  const inner = readIndex(path.drive.column, ["place", "at", ...columns], isNarrowed ? budget : limit + 1);
  const conditions = path.others.map(({ column, values: wanted }) => {
    const names = wanted.map((digest) => `?${String(values.push(digest))}`);
    return `e.${column} IN (${names.join(", ")})`;
  });
  const join = path.text === null ? "" : `JOIN ${REASONS.name} AS r ON r.reason = e.reason`;
  if (path.text !== null)
    conditions.push(`${database.position}(r.folded, ?${String(values.push(path.text))}) > 0`);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const rows = await database.all(
    `SELECT e.place AS place, e.at AS at FROM (${inner}) AS e ${join} ${where}
      ORDER BY e.at DESC, e.place DESC LIMIT ${String(limit + 1)}`,
    values,
  );
  const found = rows.map((row) => ({ at: integer(row, "at"), place: integer(row, "place") }));
  if (found.length > limit) return { found, stop: found.at(-1) ?? null };
  return { found, stop: isNarrowed ? await entryAfter(database, arm, budget - 1) : null };
}

/** The entry that stands `offset` entries into the read of an index; null when it ends before. */
async function entryAfter(
  database: IndexDatabase,
  { path, value, range }: ArmSearch,
  offset: number,
): Promise<EntryOrder | null> {
  const read = readIndex(path.drive.column, ["place", "at"], 1);
  const [row] = await database.all(`${read} OFFSET ${String(offset)}`, rangeValues(value, range));
  return row === undefined ? null : { at: integer(row, "at"), place: integer(row, "place") };
}

/** Behind the newest stop, matches of the arm that stopped there are missing. */
function mergeArms(arms: readonly Arm[], limit: number): FoundEntries {
  const stops = arms.map(({ stop }) => stop).filter((stop) => stop !== null);
  const stop = stops.reduce<EntryOrder | null>(
    (newest, one) => (newest === null || isBehind(newest, one) ? one : newest),
    null,
  );
  const entries = arms
    .flatMap(({ found }) => found)
    .filter((entry) => stop === null || !isBehind(entry, stop))
    .toSorted((one, other) => (isBehind(one, other) ? 1 : -1));
  return { entries: entries.slice(0, limit + 1), stop };
}
