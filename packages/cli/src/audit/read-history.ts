import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { AuditRowAnswer } from "@svc/contract/audit-answer";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Output } from "../frame/output.ts";

/** Most rows that are read before the oldest of them is shown, as count: they are held in memory. */
const MAX_ROWS = 200_000;

export interface HistoryQuestion {
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Null: every row that is selected. */
  readonly lines: number | null;
}

/** The last rows that are selected, the oldest first, and warnings about rows that are left out. */
export async function readHistory(
  client: ControlClient,
  { query, lines }: HistoryQuestion,
  output: Output,
): Promise<readonly AuditRowAnswer[]> {
  if (lines === 0) return [];
  const rows: AuditRowAnswer[] = [];
  const wanted = lines ?? MAX_ROWS + 1;
  const limit = String(Math.min(wanted, MAX_PAGE_SIZE));
  const missing = new Map<string, number>();
  const pages = everyPage((cursor) =>
    client.ask(auditQueryRoutes.listAuditRows, { query: { ...query, limit, cursor } }),
  );
  for await (const page of pages) {
    rows.push(...page.rows);
    for (const { log_id, rows: count } of page.indexed.behind) missing.set(log_id, count);
    if (rows.length >= wanted) break;
    output.progress(`${String(rows.length)} rows read`);
  }
  if (rows.length > MAX_ROWS)
    throw new CommandFailure(
      "usage",
      `expected at most ${String(MAX_ROWS)} rows, found more: name a shorter time, or export the log ` +
        "with GET /api/v1/audit/export",
    );
  const left = [...missing.values()].reduce((sum, count) => sum + count, 0);
  if (left > 0)
    output.warn(`the newest ${String(left)} rows are not indexed yet and may be missing: ask again`);
  return rows.slice(0, wanted).reverse();
}
