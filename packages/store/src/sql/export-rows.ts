import { renderExportLine } from "@svc/audit-log/export-line";
import { parseRowText } from "@svc/audit-log/parse-row-text";
import { blockOf, REMOVAL_BLOCK_ROWS, type SeqRange } from "@svc/audit-log/removal";
import type { AuditStore, ExportPage, ExportRange, StoredRow } from "../ports/audit-store.ts";
import type { StoredRemoval } from "../ports/stored-removal.ts";

/** Rows read at once, as count. */
export const ROWS_PER_READ = 500;

/** Bytes of rows read at once: 1 MiB. One row that is longer is read by itself. */
export const BYTES_PER_READ = 1024 * 1024;

/** What an export reads of the store. */
export interface ExportReads extends Pick<AuditStore, "rows"> {
  readonly removals: (logId: string, range: SeqRange) => Promise<readonly StoredRemoval[]>;
}

/** Renders rows where they are read, so that the serving thread only passes bytes on. */
export async function exportRows(read: ExportReads, range: ExportRange): Promise<ExportPage> {
  const { logId, from, end, org } = range;
  const found = await read.rows(logId, from, Math.min(ROWS_PER_READ, end - from), BYTES_PER_READ);
  const rows = found.filter(({ seq }) => seq < end);
  const last = found.at(-1)?.seq;
  const next = last === undefined || last + 1 >= end ? null : last + 1;
  // After the rows: a removal that is not seen here has not removed any of them.
  const removals = await read.removals(logId, endedBlocks(range, next));
  const foreign =
    rows.find((row) => isForeign(row, org))?.seq ?? removals.find((one) => one.org !== org)?.firstSeq;
  if (foreign !== undefined) return { kind: "foreign_row", seq: foreign };
  const lines = renderLines(rows, removals);
  return { kind: "lines", lines: Buffer.from(lines), rows: rows.length, removals: removals.length, next };
}

/** The blocks whose last row is on this page. */
function endedBlocks({ from, end }: ExportRange, next: number | null): SeqRange {
  const to = next === null ? end : blockOf(next) * REMOVAL_BLOCK_ROWS;
  return { from: blockOf(from) * REMOVAL_BLOCK_ROWS, to: to - 1 };
}

function renderLines(rows: readonly StoredRow[], removals: readonly StoredRemoval[]): string {
  let rest = removals;
  const lines: string[] = [];
  const endBlocksBefore = (block: number): void => {
    const ended = rest.filter(({ firstSeq }) => blockOf(firstSeq) < block);
    rest = rest.slice(ended.length);
    lines.push(...ended.map(({ logId, note }) => renderExportLine({ kind: "removal", logId, note })));
  };
  for (const row of rows) {
    if (rest.length > 0) endBlocksBefore(blockOf(row.seq));
    lines.push(renderExportLine({ kind: "row", row }));
  }
  endBlocksBefore(Number.POSITIVE_INFINITY);
  return lines.join("");
}

/** A row without an organization was damaged. It stays in the export, so that the verifier finds it. */
function isForeign({ bytes }: StoredRow, org: string): boolean {
  const reading = parseRowText(Buffer.from(bytes).toString("utf8"));
  return reading.kind === "row" && reading.row.org !== org;
}
