import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Bytes that are handed over at once, or one longer line: other requests get their turn after it, and the
 * reader of the export its back-pressure.
 */
const PIECE_BYTES = 64 * 1024;

/** The same bytes in small pieces, with a turn for other requests after each. */
export async function* inPieces(all: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of all) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES);
      await nextTurn();
    }
  }
}
