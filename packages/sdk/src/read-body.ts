/** The bytes of an answer; null when there are more than `maxBytes`, of which no more is read. */
export async function readBody(answer: Response, maxBytes: number): Promise<Uint8Array | null> {
  const length = Number(answer.headers.get("content-length"));
  // The transport reads no more than the length that the answer names.
  if (length > 0 && length <= maxBytes) return atMost(new Uint8Array(await answer.arrayBuffer()), maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function atMost(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  return bytes.byteLength <= maxBytes ? bytes : null;
}
