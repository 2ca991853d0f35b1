import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Passes an answer on as it is, piece by piece. Never rejects: a broken end of either side ends both. */
export async function relayBytes(
  incoming: IncomingMessage,
  response: ServerResponse,
  headers: string[],
): Promise<void> {
  response.writeHead(incoming.statusCode ?? 502, headers);
  response.flushHeaders();
  await pipeline(incoming, response).catch(() => response.destroy());
}

/**
 * Passes on what of a stream may, each piece at once. Leaves the response open.
 * @param filter sees each piece before it goes, and says what goes; null ends the stream before it.
 */
export async function relayPieces(
  incoming: IncomingMessage,
  response: ServerResponse,
  filter: (chunk: Buffer) => readonly Buffer[] | null,
): Promise<void> {
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      const passing = filter(chunk);
      if (passing === null || response.destroyed) return;
      for (const piece of passing) if (!response.write(piece)) await drained(response, incoming);
    }
  } catch {
    // Broken off: what was passed on stays, and what is owed is for the caller to tell.
  } finally {
    incoming.destroy();
  }
}

/** Resolves when there is room again, or when either side is gone. */
async function drained(response: ServerResponse, incoming: IncomingMessage): Promise<void> {
  const gone = new AbortController();
  const events = [
    once(response, "drain", gone),
    once(response, "close", gone),
    once(incoming, "close", gone),
  ];
  await Promise.race(events).catch(() => undefined);
  gone.abort();
  await Promise.allSettled(events);
}
