import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { AuditRowAnswer } from "@svc/contract/audit-answer";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient, everyPage } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { untilEnded } from "../frame/until-ended.ts";
import { doubtName, listQuery, type SelectionOptions, streamQuery } from "./audit-selection.ts";
import { followRows } from "./follow-rows.ts";
import { ocsfResult, rowResult } from "./render-row.ts";

export interface TailOptions extends ServerOptions, Omit<OutputOptions, "output">, SelectionOptions {
  readonly output: "pretty" | "ndjson" | "ocsf";
  readonly follow: boolean;
  readonly lines?: number;
}

/** Rows that are shown when neither a number nor a time is named, as count. */
const DEFAULT_LINES = 20;

/** Shows the last rows, and goes on with new ones when asked to. @throws CommandFailure */
export async function tailLog(options: TailOptions, terminal: Terminal): Promise<Outcome> {
  const { between, since, follow } = options;
  if (follow && between !== undefined)
    throw new CommandFailure("usage", "-f follows what happens from now on: use it with --since");
  const form = options.output === "ocsf" ? "ndjson" : options.output;
  const output = new Output(terminal, { ...options, output: form });
  const query = listQuery(options);
  const lines = options.lines ?? (since === undefined && between === undefined ? DEFAULT_LINES : null);
  const connection = await resolveConnection(options, terminal);
  return untilEnded(terminal, async (signal) => {
    const client = new ControlClient(connection, signal);
    const before = () => readHistory(client, { query, lines }, output);
    const write = (row: Awaited<ReturnType<typeof before>>[number]): void =>
      output.result(options.output === "ocsf" ? ocsfResult(row) : rowResult(row, output.isTerminal));
    if (follow)
      await followRows(
        { connection, client, signal, query: streamQuery(options), selection: options },
        { before, write, output },
      );
    else {
      const rows = await before();
      for (const row of rows) write(row);
      if (rows.length === 0) output.note(`no row of the audit log matches${doubtName(options.agent)}\n`);
    }
    return "ok";
  });
}

/** Most rows that are read before the oldest of them is shown, as count: they are held in memory. */
const MAX_ROWS = 200_000;

interface HistoryQuestion {
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Null: every row that is selected. */
  readonly lines: number | null;
}

/** The last rows that are selected, the oldest first, and warnings about rows that are left out. */
async function readHistory(
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
