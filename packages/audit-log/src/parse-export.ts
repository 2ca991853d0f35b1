import { EXPORT_FORMAT, type ExportLine, parseExportLine } from "./export-line.ts";
import { framedLines, type LineFormat, requireCounts } from "./framed-lines.ts";

/** A row, a checkpoint or a statement about removed rows. */
export type ExportRecord = Exclude<ExportLine, { kind: "header" | "end" }>;

const FORMAT: LineFormat<ExportLine> = {
  header: JSON.stringify({ format: EXPORT_FORMAT }),
  content: "a row, a checkpoint",
  parse: parseExportLine,
};

/** Rows and checkpoints of an export as they come. Throws ExportError unless it is whole, header to end. */
export async function* parseExport(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ExportRecord> {
  const found = { rows: 0, checkpoints: 0, removals: 0 };
  for await (const line of framedLines(chunks, FORMAT)) {
    if (line.kind === "row") found.rows += 1;
    if (line.kind === "checkpoint") found.checkpoints += 1;
    if (line.kind === "removal") found.removals += 1;
    if (line.kind === "end") requireCounts(line.counts, found);
    else if (line.kind !== "header") yield line;
  }
}
