import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { announcedBytes } from "./announced-bytes.ts";

/** Refused bodies that are read at once, as count. Other work runs between them. */
const MAX_AT_ONCE = 16;

/**
 * Most refused bodies that wait while others are read, as count. Further bodies are not read: reading a flood
 * would cost the other callers more than the sender's open connection is worth.
 */
const MAX_WAITING = 256;

/**
 * Reads refused bodies to their end and discards them, so that each sender still listens when its refusal is
 * sent, and its connection stays usable. It reads a few at a time, because a flood of refusals must not delay
 * the calls that were not refused.
 */
export class BodyDiscard {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Resolves when the refusal may be sent: the body has ended, or it is not read, because it announces or
   * grows to more than `maxBytes` or because many wait. Never rejects, and always ends: the server bounds the
   * time of a whole request.
   */
  async run(request: IncomingMessage, maxBytes: number): Promise<void> {
    if ((announcedBytes(request) ?? 0) > maxBytes) return;
    if (this.#running < MAX_AT_ONCE) this.#running += 1;
    else await this.#turn();
    if (this.#waiting.length < MAX_WAITING) await readToEnd(request, maxBytes);
    else await nextTurn();
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }

  /** Waits until another body is done. */
  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

function readToEnd(request: IncomingMessage, maxBytes: number): Promise<void> {
  // The events that would end the wait have passed already.
  if (request.destroyed || request.readableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= maxBytes) return;
      request.pause();
      resolve();
    });
    request.on("end", resolve);
    request.on("error", () => resolve());
    request.on("close", resolve);
  });
}

/**
 * Whether part of the body is still unread. To keep the connection, the server would have to read all of it.
 */
export function hasUnreadBody({ headers, complete }: Pick<IncomingMessage, "complete" | "headers">): boolean {
  const length = headers["content-length"] ?? "0";
  return !complete && (length !== "0" || headers["transfer-encoding"] !== undefined);
}
