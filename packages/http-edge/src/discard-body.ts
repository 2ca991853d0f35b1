import type { IncomingMessage } from "node:http";
import { announcedBytes } from "./announced-bytes.ts";

/**
 * Reads a body to its end and keeps nothing of it, so that the sender is still listening when the refusal
 * comes and its connection stays usable. A body that announces more than `maxBytes` is not read; one that
 * grows past it is given up. Never rejects, and always ends: the server bounds the time of a whole request.
 */
export function discardBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  const announced = announcedBytes(request);
  if (announced !== null && announced > maxBytes) return Promise.resolve();
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
