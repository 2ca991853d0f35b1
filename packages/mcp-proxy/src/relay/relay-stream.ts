import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ServerAnswer } from "../upstream/server-answer.ts";

/** Passes an answer on as it is, piece by piece. Never rejects: a broken end of either side ends both. */
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
 * Passes on what of a stream may, each piece at once. Leaves the response open.
 * @param filter sees each piece before it goes, and says what goes; null ends the stream before it.
 * @returns whether the server broke it off, or was lost, instead of ending it
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
    // What was passed on stays, and what is owed is for the caller to tell.
    return true;
  } finally {
    stream.destroy();
  }
}

/** Resolves when there is room again, or when either side is gone, also when it was gone before. */
async function drained(response: ServerResponse, stream: Readable): Promise<void> {
  if (response.destroyed || stream.destroyed) return;
  const gone = new AbortController();
  const events = [once(response, "drain", gone), once(response, "close", gone), once(stream, "close", gone)];
  await Promise.race(events).catch(() => undefined);
  gone.abort();
  await Promise.allSettled(events);
}
