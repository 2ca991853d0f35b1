import { ocsfEvent } from "@svc/audit-log/ocsf-event";
import { parseRowText } from "@svc/audit-log/parse-row-text";
import type { AuditStore, StoredRow } from "../ports/audit-store.ts";
import type { ForwardedRow, ForwardPage, ForwardQuery } from "../ports/forwarded-rows.ts";
import { readRowPage } from "../row-page.ts";
import { rowLine } from "./row-line.ts";

const LINE_BREAK = /[\r\n]/;

/** Reads and renders rows where they are read, so that the serving thread only passes them on. */
export async function forwardedRows(
  read: Pick<AuditStore, "rows" | "heads">,
  query: ForwardQuery,
): Promise<ForwardPage> {
  const { rows, next, sizes, missing } = await readRowPage(read, query);
  const found = rows.map((row) => rendered(row, query));
  return {
    rows: found.filter((row) => row !== null && row !== "foreign"),
    next,
    sizes,
    unreadable: missing + found.filter((row) => row === null).length,
  };
}

/** Null: nobody can read it. */
function rendered(stored: StoredRow, { org, format }: ForwardQuery): ForwardedRow | "foreign" | null {
  const { logId, seq, bytes } = stored;
  const text = Buffer.from(bytes).toString("utf8");
  const reading = parseRowText(text);
  // A row of ours has neither: the line breaks of a tampered one would end its line early.
  if (reading.kind !== "row" || LINE_BREAK.test(text)) return null;
  const { row } = reading;
  if (row.org !== org) return "foreign";
  const event = ocsfEvent({ logId, seq, row });
  if (event === null) return null;
  const severity = Number(event["severity_id"]);
  const line = format === "ocsf" ? JSON.stringify(event) : rowLine(stored, row, text);
  return { logId, seq, kind: row.kind, timeMs: Number(event["time"]), severity, line };
}
