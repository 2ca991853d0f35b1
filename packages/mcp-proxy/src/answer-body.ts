import type { IncomingMessage } from "node:http";
import { MAX_ANSWER_BYTES } from "./limits.ts";

/** A whole body, or why there is none. */
export type AnswerBody =
  | { readonly kind: "body"; readonly bytes: Buffer }
  | { readonly kind: "too_large" | "broken" | "late" };

/** Reads the body of an answer, once. Never rejects; leaves the stream destroyed unless it ended. */
export async function readAnswerBody(incoming: IncomingMessage, timeoutMs: number): Promise<AnswerBody> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    incoming.destroy();
  }, timeoutMs);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) return { kind: "too_large" };
      chunks.push(chunk);
    }
    return { kind: "body", bytes: Buffer.concat(chunks, size) };
  } catch {
    return { kind: isLate ? "late" : "broken" };
  } finally {
    clearTimeout(timer);
  }
}

/** The media type of an answer in lower case, without parameters; empty when there is none. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Whether its bytes stand for others: clients would read what was not read here. */
export function isEncoded({ headers }: IncomingMessage): boolean {
  return (headers["content-encoding"] ?? "identity") !== "identity";
}

export const JSON_TYPE = "application/json";
export const EVENT_STREAM_TYPE = "text/event-stream";
