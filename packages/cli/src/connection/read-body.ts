/** Largest answer in bytes that is read: a page of the longest list. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The body of an answer as text. @throws an Error when it is cut or too large */
export async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`expected at most ${String(MAX_BYTES)} bytes, found more`);
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}
