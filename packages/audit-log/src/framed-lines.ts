import { LineError, textLines } from "./text-lines.ts";

/** Longest line in bytes: the largest request body, escaped twice, and the other members of its row. */
const MAX_EXPORT_LINE_BYTES = 4 * 1024 * 1024;

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

/** A format of lines between a header and an end. */
export interface LineFormat<Line extends { readonly kind: string }> {
  /** The header as a reader expects it. */
  readonly header: string;
  /** What may stand between header and end, after "expected". */
  readonly content: string;
  /** One line with its newline; null when it is not one. */
  readonly parse: (text: string) => Line | null;
}

/** The lines of an export, header and end included. Throws ExportError unless it is whole. */
export async function* framedLines<Line extends { readonly kind: string }>(
  chunks: AsyncIterable<Uint8Array>,
  format: LineFormat<Line>,
): AsyncGenerator<Line> {
  let number = 0;
  let ended = false;
  for await (const text of lines(chunks, format.header)) {
    number += 1;
    if (ended) throw new ExportError("malformed", `line ${number}: expected nothing behind the end line`);
    const line = parseInPlace(text, number, format);
    ended = line.kind === "end";
    yield line;
  }
  if (!ended) throw new ExportError("cut", `the export stops after line ${number}, before its end line`);
}

/** Compares how many lines the end line counts with how many there are. */
export function requireCounts<Name extends string>(
  counted: Readonly<Record<Name, number>>,
  found: Readonly<Record<Name, number>>,
): void {
  for (const name of Object.keys(found) as Name[]) {
    if (counted[name] === found[name]) continue;
    throw new ExportError("malformed", `the end line counts ${counted[name]} ${name}, found ${found[name]}`);
  }
}

function parseInPlace<Line extends { readonly kind: string }>(
  text: string,
  number: number,
  { header, content, parse }: LineFormat<Line>,
): Line {
  const line = parse(text);
  // A download that is cut inside a line leaves one without newline.
  if (line === null && !text.endsWith("\n"))
    throw new ExportError("cut", `the export stops within line ${number}`);
  if (line === null && text.endsWith("\r\n")) {
    throw new ExportError(
      "line_endings",
      `line ${number}: line endings were changed: expected LF, found CR LF`,
    );
  }
  if (number === 1 && line?.kind !== "header")
    throw new ExportError("unknown_format", `line 1: expected ${header}`);
  if (line === null || (line.kind === "header" && number > 1))
    throw new ExportError("malformed", `line ${number}: expected ${content} or the end of the export`);
  return line;
}

/** A file that does not begin with a line is another file, such as a database. */
async function* lines(chunks: AsyncIterable<Uint8Array>, header: string): AsyncGenerator<string> {
  let isFirst = true;
  try {
    for await (const text of textLines(chunks, MAX_EXPORT_LINE_BYTES)) {
      isFirst = false;
      yield text;
    }
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    if (isFirst) throw new ExportError("unknown_format", `line 1: expected ${header}`, error);
    throw new ExportError("malformed", error.message, error);
  }
}
