/** Reads a body to its end, or its first `maxBytes`. Leaving the loop ends the connection of a longer one. */
export async function readAtMost(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > maxBytes) break;
  }
  return { body: Buffer.concat(pieces).subarray(0, maxBytes), isCut: bytes > maxBytes };
}
