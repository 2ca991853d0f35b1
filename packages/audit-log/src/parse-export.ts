import { EXPORT_FORMAT, type ExportCounts, type ExportLine, parseExportLine } from "./export-line.ts";
import { LineError, textLines } from "./text-lines.ts";

/** Longest line in bytes: the largest request body, escaped twice, and the other members of its row. */
const MAX_EXPORT_LINE_BYTES = 4 * 1024 * 1024;

/** A row or checkpoint of an export. */
export type ExportRecord = Extract<ExportLine, { kind: "row" | "checkpoint" }>;

/**
 * `cut`: it stops before its end, so fetch it again. `unknown_format`: the first line is not the header of
 * an export that this version reads. `line_endings`: a program has rewritten the ends of its lines.
 * `malformed`: lines behind the header were changed, removed or added.
 */
export type ExportErrorCode = "cut" | "unknown_format" | "line_endings" | "malformed";

export class ExportError extends Error {
  override readonly name: string = "ExportError";
  readonly code: ExportErrorCode;

  constructor(code: ExportErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Rows and checkpoints of an export as they come. Throws ExportError unless it is whole, header to end. */
export async function* parseExport(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ExportRecord> {
  const found = { rows: 0, checkpoints: 0 };
  let number = 0;
  let end: ExportCounts | null = null;
  for await (const text of lines(chunks)) {
    number += 1;
    const line = parseInPlace(text, number, end !== null);
    if (line.kind === "row") found.rows += 1;
    if (line.kind === "checkpoint") found.checkpoints += 1;
    if (line.kind === "end") end = line.counts;
    if (line.kind === "row" || line.kind === "checkpoint") yield line;
  }
  if (end === null)
    throw new ExportError("cut", `the export stops after line ${number}, before its end line`);
  for (const name of ["rows", "checkpoints"] as const) {
    if (end[name] === found[name]) continue;
    throw new ExportError("malformed", `the end line counts ${end[name]} ${name}, found ${found[name]}`);
  }
}

function parseInPlace(text: string, number: number, ended: boolean): ExportLine {
  if (ended) throw new ExportError("malformed", `line ${number}: expected nothing behind the end line`);
  const line = parseExportLine(text);
  // A download that is cut inside a line leaves one without newline.
  if (line === null && !text.endsWith("\n"))
    throw new ExportError("cut", `the export stops within line ${number}`);
  if (line === null && text.endsWith("\r\n")) {
    throw new ExportError(
      "line_endings",
      `line ${number}: line endings were changed: expected LF, found CR LF`,
    );
  }
  if (number === 1 && line?.kind !== "header") {
    throw new ExportError("unknown_format", `line 1: expected ${JSON.stringify({ format: EXPORT_FORMAT })}`);
  }
  if (line === null || (line.kind === "header" && number > 1)) {
    throw new ExportError(
      "malformed",
      `line ${number}: expected a row, a checkpoint or the end of the export`,
    );
  }
  return line;
}

async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  try {
    yield* textLines(chunks, MAX_EXPORT_LINE_BYTES);
  } catch (error) {
    if (error instanceof LineError) throw new ExportError("malformed", error.message, error);
    throw error;
  }
}
