import type { EntryOrder } from "../audit-answers.ts";
import type { Value } from "../database/index-database.ts";
import { type DigestColumn, ENTRIES, orderColumn } from "../database/index-tables.ts";

/** What is common to every statement of a search. */
export interface SearchRange {
  readonly before: EntryOrder;
  readonly sinceMs: number;
}

/** The parameters ?1 to ?4 of every read of an index. */
export function rangeValues(value: number, { before, sinceMs }: SearchRange): Value[] {
  return [value, before.at, before.place, sinceMs];
}

/** A read of one index in its order, and no more of it than `count` entries. */
export function readIndex(column: DigestColumn, columns: readonly string[], count: number): string {
  const at = orderColumn(column);
  return `SELECT ${columns.join(", ")} FROM ${ENTRIES.name}
    WHERE ${column} = ?1 AND (${at}, place) < (?2, ?3) AND ${at} >= ?4
    ORDER BY ${at} DESC, place DESC LIMIT ${String(count)}`;
}
