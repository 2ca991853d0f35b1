import type { Server } from "@grpc/grpc-js";

/**
 * Resets that one connection may have at once and per second, as counts. Envoy resets the stream of every
 * request that it is done with, so resets come as often as requests, on one connection for each of its
 * workers. Node's default (1,000 at once, 33 a second) takes that for the rapid reset attack (CVE-2023-44487)
 * and closes the connection, with every request on it. The only peer is the operator's own proxy, and the
 * streams of a connection are bounded besides.
 */
export const STREAM_RESETS = { streamResetBurst: 1_000_000, streamResetRate: 1_000_000 } as const;

/**
 * Raises the limit before the server is bound. The library has no option for it, so this reaches for the
 * options that it hands to node:http2. @throws when a new version of the library keeps them elsewhere.
 */
export function raiseResetLimit(server: Server): void {
  const options: unknown = Reflect.get(server, "commonServerOptions");
  if (typeof options !== "object" || options === null || !("maxSessionMemory" in options)) {
    throw new Error("@grpc/grpc-js: expected the HTTP/2 options in commonServerOptions, found none");
  }
  Object.assign(options, STREAM_RESETS);
}
