import type { IncomingMessage } from "node:http";

/** A whole body, or why it was not read. */
export type Body =
  | { readonly kind: "body"; readonly bytes: Buffer }
  /**
   * The body is, or announces to be, longer than the limit. The rest is not read, and the connection
   * must be closed.
   */
  | { readonly kind: "too_large" }
  /** The connection ended before the body did. */
  | { readonly kind: "aborted" };

/**
 * Reads a body of at most `maxBytes`, once. Bytes are counted as they arrive, whatever Content-Length says. A
 * body that announces too much is not read at all. Never rejects, and always ends: the server's time for a
 * whole request is bounded.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes)
    return Promise.resolve({ kind: "too_large" });
  // The events that would end the wait have passed already.
  if (request.destroyed || request.readableEnded) return Promise.resolve({ kind: "aborted" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      resolve({ kind: "too_large" });
    });
    request.on("end", () => resolve({ kind: "body", bytes: joined(chunks, size) }));
    request.on("error", () => resolve({ kind: "aborted" }));
    request.on("close", () => resolve({ kind: "aborted" }));
  });
}

function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size);
}
