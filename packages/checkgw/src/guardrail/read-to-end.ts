import type { IncomingMessage } from "node:http";
import { type BodyBudget, PROCESS_BODIES } from "@svc/http-edge/body-budget";

/** A whole body in its own memory, or why it was not read. */
export type WholeBody =
  | { readonly kind: "body"; readonly bytes: Uint8Array }
  | { readonly kind: "too_large" }
  /** The unfinished bodies of the process hold too much together. */
  | { readonly kind: "overloaded" }
  /** The connection or the time for it ended first. */
  | { readonly kind: "unfinished" };

export interface ReadToEndOptions {
  readonly maxBytes: number;
  /**
   * Ends the wait. It must abort by the time the request is answered. After the answer Node emits neither the
   * end of the request nor the loss of its connection.
   */
  readonly signal: AbortSignal;
  /** The budget of the process when absent. */
  readonly budget?: BodyBudget;
}

/**
 * Reads a body to its end. A body that is refused is also read, and discarded: a caller that is answered
 * while it still sends may see a broken connection instead of the answer, and take that for a pass. Never
 * rejects; ends with the connection, or with its signal.
 */
export function readToEnd(
  request: IncomingMessage,
  { maxBytes, signal, budget = PROCESS_BODIES }: ReadToEndOptions,
): Promise<WholeBody> {
  if (request.destroyed || request.readableEnded || signal.aborted)
    return Promise.resolve({ kind: "unfinished" });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let refused: "too_large" | "overloaded" | null = null;
    const refuse = (kind: "too_large" | "overloaded"): void => {
      share.release();
      chunks = [];
      refused ??= kind;
    };
    const share = budget.open(() => refuse("overloaded"));
    const giveUp = (): void => {
      share.release();
      chunks = [];
      request.off("data", keep);
      resolve({ kind: "unfinished" });
    };
    const keep = (chunk: Buffer): void => {
      if (refused !== null) return;
      size += chunk.byteLength;
      if (size > maxBytes) return refuse("too_large");
      chunks.push(chunk);
      share.add(chunk.byteLength);
    };
    request.on("data", keep);
    request.on("end", () => {
      signal.removeEventListener("abort", giveUp);
      share.release();
      resolve(refused === null ? { kind: "body", bytes: joined(chunks, size) } : { kind: refused });
    });
    request.on("error", giveUp);
    request.on("close", giveUp);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}

/** Joins the chunks in a buffer of its own, which can be transferred to another thread without a copy. */
function joined(chunks: readonly Buffer[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
