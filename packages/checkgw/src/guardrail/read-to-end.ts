import type { IncomingMessage } from "node:http";

/** A whole body in memory of its own, or why there is none. */
export type WholeBody =
  | { readonly kind: "body"; readonly bytes: Uint8Array }
  | { readonly kind: "too_large" }
  | { readonly kind: "aborted" };

/**
 * Reads a body to its end, also one that is too large, which is thrown away: a caller that is answered while
 * it still sends may see a broken connection in place of the answer, and take that for a pass. Never
 * rejects; ends with the connection.
 */
export function readToEnd(request: IncomingMessage, maxBytes: number): Promise<WholeBody> {
  if (request.destroyed || request.readableEnded) return Promise.resolve({ kind: "aborted" });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks = [];
    });
    request.on("end", () => {
      resolve(size > maxBytes ? { kind: "too_large" } : { kind: "body", bytes: joined(chunks, size) });
    });
    request.on("error", () => resolve({ kind: "aborted" }));
    request.on("close", () => resolve({ kind: "aborted" }));
  });
}

/** In a buffer that nothing else shares, so that it can be handed to another thread without a copy. */
function joined(chunks: readonly Buffer[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
