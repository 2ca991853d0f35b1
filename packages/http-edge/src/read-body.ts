import type { IncomingMessage } from "node:http";
import { type BodyBudget, PROCESS_BODIES } from "./body-budget.ts";

/** A whole body, or why it was not read. */
export type Body =
  | { readonly kind: "body"; readonly bytes: Buffer }
  /**
   * The body is, or announces to be, longer than the limit. The rest is not read, and the connection
   * must be closed.
   */
  | { readonly kind: "too_large" }
  /**
   * The unfinished bodies of the process hold too much together. The rest is not read, and the connection
   * must be closed.
   */
  | { readonly kind: "overloaded" }
  /** The connection ended before the body did. */
  | { readonly kind: "aborted" };

/** What an answer says to a sender whose body was refused as `overloaded`. */
export const BODIES_OVERLOADED = "too many bodies are being received at once; send the request again";

export interface ReadBodyOptions {
  /** The budget of the process when absent. */
  readonly budget?: BodyBudget;
  /** Ends the wait. Needed where the answer may be sent first: after it Node emits no end of the request. */
  readonly signal?: AbortSignal;
}

/**
 * Reads a body of at most `maxBytes`, once. Bytes are counted as they arrive, whatever Content-Length says. A
 * body that announces too much is not read at all. Never rejects, and always ends: the server's time for a
 * whole request is bounded.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  { budget = PROCESS_BODIES, signal }: ReadBodyOptions = {},
): Promise<Body> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes)
    return Promise.resolve({ kind: "too_large" });
  // The events that would end the wait have passed already.
  if (request.destroyed || request.readableEnded || signal?.aborted === true)
    return Promise.resolve({ kind: "aborted" });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const finish = (body: () => Body): void => {
      if (isOver) return;
      isOver = true;
      share.release();
      signal?.removeEventListener("abort", abort);
      resolve(body());
      chunks = [];
    };
    const refuse = (kind: "too_large" | "overloaded"): void => {
      request.pause();
      finish(() => ({ kind }));
    };
    const abort = (): void => finish(() => ({ kind: "aborted" }));
    const share = budget.open(() => refuse("overloaded"));
    request.on("data", (chunk: Buffer) => {
      if (isOver) return;
      size += chunk.byteLength;
      if (size > maxBytes) return refuse("too_large");
      chunks.push(chunk);
      share.add(chunk.byteLength);
    });
    request.on("end", () => finish(() => ({ kind: "body", bytes: joined(chunks, size) })));
    request.on("error", abort);
    request.on("close", abort);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size);
}
