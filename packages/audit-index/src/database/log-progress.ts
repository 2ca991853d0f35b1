import { type IndexDatabase, integer, textOf } from "./index-database.ts";
import { LOGS } from "./index-tables.ts";

/** How far one log is indexed. */
export interface LogProgress {
  /** The log's number in places. */
  readonly logNumber: number;
  readonly logId: string;
  /** The first row that is not indexed. */
  readonly nextSeq: number;
  /** Hex hash of the row before it; null when there is none. */
  readonly lastHash: string | null;
  /** Unix milliseconds of the last row whose time could be read. */
  readonly lastAt: number;
}

export async function readProgress(database: IndexDatabase): Promise<readonly LogProgress[]> {
  const rows = await database.all(`SELECT ${LOGS.columns.join(", ")} FROM ${LOGS.name} ORDER BY log_number`);
  return rows.map((row) => ({
    logNumber: integer(row, "log_number"),
    logId: textOf(row, "log_id"),
    nextSeq: integer(row, "next_seq"),
    lastHash: row["last_hash"] === null ? null : textOf(row, "last_hash"),
    lastAt: integer(row, "last_at"),
  }));
}
