import type { AuditStore, LogHead, StoredRow } from "./ports/audit-store.ts";
import type { EventQuery, LogPositions } from "./ports/event-rows.ts";

/** Committed rows of several logs. */
export interface RowPage {
  /** Ascending in each log. */
  readonly rows: readonly StoredRow[];
  /** Where the next page starts, for every log of the query. */
  readonly next: LogPositions;
  /** Rows of every log that the store has. `next` lies behind them only in a log that was set back. */
  readonly sizes: LogPositions;
  /** Rows of the range that are not in the store, as count. */
  readonly missing: number;
}

/** Where a log is read, and how much. */
export interface RowSpan {
  readonly logId: string;
  readonly start: number;
  /** Rows of the log, as count. */
  readonly size: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** What was read of a log, up to `end`. */
export interface RowsOfSpan {
  readonly rows: readonly StoredRow[];
  readonly end: number;
  /** Rows before `end` that are not in the store, as count. */
  readonly missing: number;
}

/** Reads the logs in the order of the query until the page is full. */
export async function readRowPage(
  read: Pick<AuditStore, "rows" | "heads">,
  query: EventQuery,
): Promise<RowPage> {
  return readSpans(await read.heads(), query, async (span) => readEveryRow(read, span));
}

async function readEveryRow(
  read: Pick<AuditStore, "rows">,
  { logId, start, size, limit, maxBytes }: RowSpan,
): Promise<RowsOfSpan> {
  const rows = await read.rows(logId, start, limit, maxBytes);
  const end = (rows.at(-1)?.seq ?? size - 1) + 1;
  return { rows, end, missing: end - start - rows.length };
}

/** The same with a way of its own to read a log. */
export async function readSpans(
  heads: readonly LogHead[],
  { from, limit, maxBytes }: EventQuery,
  readSpan: (span: RowSpan) => Promise<RowsOfSpan>,
): Promise<RowPage> {
  const sizes = new Map(heads.map(({ logId, size }) => [logId, size]));
  const next = new Map(from);
  const found: StoredRow[] = [];
  let bytes = 0;
  let missing = 0;
  for (const [logId, start] of from) {
    const size = sizes.get(logId) ?? 0;
    if (start >= size || found.length >= limit || bytes >= maxBytes) continue;
    const span = { logId, start, size, limit: limit - found.length, maxBytes: maxBytes - bytes };
    const { rows, end, missing: gone } = await readSpan(span);
    for (const row of rows) bytes += row.bytes.length;
    found.push(...rows);
    missing += gone;
    next.set(logId, end);
    // Rows that were committed after the heads were read belong to the log, too.
    sizes.set(logId, Math.max(size, end));
  }
  return { rows: found, next, sizes, missing };
}
