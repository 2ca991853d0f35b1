import type { IncomingMessage } from "node:http";
import { announcedBytes } from "./announced-bytes.ts";

/**
 * Bodies that are discarded at once, as count. A body that waits costs what its first read took; one that is
 * being discarded costs a buffer for each read until the next garbage collection.
 */
const MAX_DISCARDED_AT_ONCE = 4;

/**
 * Reads refused bodies to their end and keeps nothing of them, so that each sender is still listening when
 * its refusal comes, and its connection stays usable.
 */
export class BodyDiscard {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Resolves when the body has ended. A body that announces more than `maxBytes` is not read; one that grows
   * past it is given up. Never rejects, and always ends: the server bounds the time of a whole request.
   */
  async run(request: IncomingMessage, maxBytes: number): Promise<void> {
    if ((announcedBytes(request) ?? 0) > maxBytes) return;
    if (this.#running >= MAX_DISCARDED_AT_ONCE) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#running += 1;
    try {
      await readToEnd(request, maxBytes);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
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
