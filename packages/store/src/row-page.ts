import type { AuditStore, StoredRow } from "./ports/audit-store.ts";
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

/** Reads the logs in the order of the query until the page is full. */
export async function readRowPage(
  read: Pick<AuditStore, "rows" | "heads">,
  { from, limit, maxBytes }: EventQuery,
): Promise<RowPage> {
  const heads = await read.heads();
  const sizes = new Map(heads.map(({ logId, size }) => [logId, size]));
  const next = new Map(from);
  const found: StoredRow[] = [];
  let bytes = 0;
  let missing = 0;
  for (const [logId, start] of from) {
    const size = sizes.get(logId) ?? 0;
    if (start >= size || found.length >= limit || bytes >= maxBytes) continue;
    const rows = await read.rows(logId, start, limit - found.length, maxBytes - bytes);
    for (const row of rows) bytes += row.bytes.length;
    found.push(...rows);
    const end = (rows.at(-1)?.seq ?? size - 1) + 1;
    missing += end - start - rows.length;
    next.set(logId, end);
    // Rows that were committed after the heads were read belong to the log, too.
    sizes.set(logId, Math.max(size, end));
  }
  return { rows: found, next, sizes, missing };
}
