import { isUtf8 } from "node:buffer";
import { MAX_ANSWER_BYTES } from "../limits.ts";
import type { ServerAnswer } from "../upstream/server-answer.ts";

/** A whole body, or why it could not be read. */
export type AnswerBody =
  | { readonly kind: "body"; readonly bytes: Buffer }
  | { readonly kind: "too_large" | "broken" | "late" };

/**
 * Reads the whole body of an answer, once. Never rejects. Destroys an answer that is too large or too late.
 */
export function readAnswerBody(incoming: ServerAnswer, timeoutMs: number): Promise<AnswerBody> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const finish = (body: AnswerBody): void => {
      clearTimeout(timer);
      resolve(body);
    };
    const giveUp = (kind: "too_large" | "late"): void => {
      finish({ kind });
      incoming.destroy();
    };
    const timer = setTimeout(giveUp, timeoutMs, "late");
    incoming.read({
      onPiece: (piece) => {
        size += piece.byteLength;
        if (size > MAX_ANSWER_BYTES) giveUp("too_large");
        else pieces.push(piece);
      },
      onEnd: (error) => finish(error === null ? { kind: "body", bytes: joined(pieces) } : { kind: "broken" }),
    });
  });
}

/** The text of a body; null when it is not UTF-8. */
export function textOf(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString("utf8") : null;
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/** The media type of an answer in lower case, without parameters; empty when there is none. */
export function mediaTypeOf(incoming: ServerAnswer): string {
  return (incoming.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Whether the body has a content coding: the client would decode what the proxy cannot read. */
export function isEncoded(incoming: ServerAnswer): boolean {
  return (incoming.header("content-encoding") ?? "identity") !== "identity";
}

export const JSON_TYPE = "application/json";
export const EVENT_STREAM_TYPE = "text/event-stream";
