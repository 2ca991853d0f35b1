import { framedLines, type LineFormat, requireCounts } from "../framed-lines.ts";
import { EXCERPT_FORMAT, type ExcerptLine, parseExcerptLine } from "./excerpt-line.ts";

/** The header, a row or a signed statement of an excerpt. The header comes first. */
export type ExcerptRecord = Exclude<ExcerptLine, { kind: "end" }>;

const FORMAT: LineFormat<ExcerptLine> = {
  header: `{"format":"${EXCERPT_FORMAT}","org":...}`,
  content: "a row, the signed statement about a log",
  parse: parseExcerptLine,
};

/** The lines of an excerpt as they come. Throws ExportError unless it is whole, header to end. */
export async function* parseExcerpt(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ExcerptRecord> {
  const found = { rows: 0, excerpts: 0 };
  for await (const line of framedLines(chunks, FORMAT)) {
    if (line.kind === "row") found.rows += 1;
    if (line.kind === "excerpt") found.excerpts += 1;
    if (line.kind === "end") requireCounts(line.counts, found);
    else yield line;
  }
}
