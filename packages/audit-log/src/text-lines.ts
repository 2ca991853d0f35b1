const NEWLINE = 0x0a;

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT_UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** What becomes of bytes that are not UTF-8: a LineError, or replacement characters in their line. */
export type WrongBytes = "refused" | "replaced";

/** Why bytes could not be read as lines. */
export class LineError extends Error {
  override readonly name = "LineError";
}

/**
 * The lines of a stream of UTF-8, each with its newline. Bytes behind the last newline come last, without
 * one. Throws LineError on a line longer than `maxLineBytes`, rather than filling memory.
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
  wrongBytes: WrongBytes = "refused",
): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield decode(join(rest, chunk.subarray(start, end + 1), maxLineBytes), wrongBytes);
      rest = new Uint8Array();
      start = end + 1;
    }
    rest = join(rest, chunk.subarray(start), maxLineBytes);
  }
  if (rest.length > 0) yield decode(rest, wrongBytes);
}

function join(rest: Uint8Array, piece: Uint8Array, maxLineBytes: number): Uint8Array {
  const length = rest.length + piece.length;
  if (length > maxLineBytes)
    throw new LineError(`expected lines of at most ${maxLineBytes} bytes, found a longer one`);
  return rest.length === 0 ? piece : Buffer.concat([rest, piece], length);
}

function decode(bytes: Uint8Array, wrongBytes: WrongBytes): string {
  try {
    return (wrongBytes === "refused" ? STRICT_UTF8 : LENIENT_UTF8).decode(bytes);
  } catch (error) {
    throw new LineError("expected UTF-8, found other bytes", { cause: error });
  }
}
