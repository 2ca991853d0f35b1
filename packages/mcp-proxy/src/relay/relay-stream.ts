import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ServerAnswer } from "../upstream/server-answer.ts";

/** Passes an answer on unchanged, piece by piece. Never rejects: when one side breaks, both end. */
export async function relayBytes(
  incoming: ServerAnswer,
  response: ServerResponse,
  headers: string[],
): Promise<void> {
  response.writeHead(incoming.statusCode, headers);
  response.flushHeaders();
  await pipeline(incoming.stream(), response).catch(() => response.destroy());
}

/**
 * Passes on what a filter lets pass of a stream, each piece at once. Leaves the response open.
 * @param filter returns what to send in place of a piece; null ends the stream before that piece
 * @returns whether the server's connection broke before the end of the stream
 */
export async function relayPieces(
  incoming: ServerAnswer,
  response: ServerResponse,
  filter: (chunk: Buffer) => readonly Buffer[] | null,
): Promise<boolean> {
  const stream = incoming.stream();
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const passing = filter(chunk);
      if (passing === null) return false;
      for (const piece of passing) {
        if (response.destroyed || response.writableEnded) return false;
        if (!response.write(piece)) await drained(response, stream);
      }
    }
    return false;
  } catch {
    // The caller decides what the client gets in place of the missing answer.
    return true;
  } finally {
    stream.destroy();
  }
}

/** Resolves when the response can take more, or when either side is gone. */
async function drained(response: ServerResponse, stream: Readable): Promise<void> {
  if (response.destroyed || stream.destroyed) return;
  const gone = new AbortController();
  const events = [once(response, "drain", gone), once(response, "close", gone), once(stream, "close", gone)];
  await Promise.race(events).catch(() => undefined);
  gone.abort();
  await Promise.allSettled(events);
}
