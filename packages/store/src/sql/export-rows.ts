import { renderExportLine } from "@svc/audit-log/export-line";
import { parseRowText } from "@svc/audit-log/parse-row-text";
import type { AuditStore, ExportPage, ExportRange, StoredRow } from "../ports/audit-store.ts";

/** Rows read at once, as count. */
export const ROWS_PER_READ = 500;

/** Bytes of rows read at once: 1 MiB. One row that is longer is read by itself. */
export const BYTES_PER_READ = 1024 * 1024;

/** Renders rows where they are read, so that the serving thread only passes bytes on. */
export async function exportRows(read: AuditStore["rows"], range: ExportRange): Promise<ExportPage> {
  const { logId, from, end, org } = range;
  const found = await read(logId, from, Math.min(ROWS_PER_READ, end - from), BYTES_PER_READ);
  const rows = found.filter(({ seq }) => seq < end);
  const foreign = rows.find((row) => isForeign(row, org));
  if (foreign !== undefined) return { kind: "foreign_row", seq: foreign.seq };
  const lines = rows.map((row) => renderExportLine({ kind: "row", row })).join("");
  const last = found.at(-1)?.seq;
  const next = last === undefined || last + 1 >= end ? null : last + 1;
  return { kind: "lines", lines: Buffer.from(lines, "utf8"), rows: rows.length, next };
}

/** A row without an organization was damaged. It stays in the export, so that the verifier finds it. */
function isForeign({ bytes }: StoredRow, org: string): boolean {
  const reading = parseRowText(Buffer.from(bytes).toString("utf8"));
  return reading.kind === "row" && reading.row.org !== org;
}
