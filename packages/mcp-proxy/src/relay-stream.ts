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
 * Passes the pieces of a stream on, each at once, but for what `look` says. Leaves the response open.
 * @param look sees each piece before it goes; false ends the stream before it.
 * @returns whether the server ended the stream by itself.
 */
export async function relayPieces(
  incoming: IncomingMessage,
  response: ServerResponse,
  look: (chunk: Buffer) => boolean,
): Promise<boolean> {
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      if (!look(chunk)) return false;
      if (response.destroyed) return false;
      if (!response.write(chunk)) await drained(response, incoming);
    }
    return true;
  } catch {
    return false;
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
