import type { Table } from "./index-tables.ts";

export type Value = number | string | null;
export type Row = Readonly<Record<string, Value>>;

/**
 * The database that holds the index, over one connection or a few. Statements name their parameters `?1`,
 * `?2` and so on.
 */
export interface IndexDatabase {
  /** The function that finds a text in another one; 0 when it is not there. */
  readonly position: "instr" | "strpos";
  all(statement: string, values?: readonly Value[]): Promise<readonly Row[]>;
}

/** The same for the one projector. */
export interface WritableIndexDatabase extends IndexDatabase {
  /** Adds rows, in the order of the table's columns. `onConflict` is the clause for rows that are there. */
  insert(table: Table, rows: readonly (readonly Value[])[], onConflict: string): Promise<void>;
  /** All of the work or nothing. */
  transaction(work: () => Promise<void>): Promise<void>;
  /** Overwrites what was deleted, as far as the database does so at once and no reader is in the way. */
  scrub(): Promise<void>;
  /** Empties the index. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** The projector has not made the index yet. */
export class UnreadyIndexError extends Error {
  override readonly name = "UnreadyIndexError";
}

/** The index cannot be used as it is and must be built again. */
export class DamagedIndexError extends Error {
  override readonly name = "DamagedIndexError";
}

/** @throws when the database holds another type there, which a damaged file can. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new DamagedIndexError(`the audit index holds no integer in ${column}`);
}

/** @throws when the database holds another type there. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new DamagedIndexError(`the audit index holds no text in ${column}`);
}
