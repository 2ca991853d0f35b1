import { EventEmitter } from "node:events";
import type { Server } from "@grpc/grpc-js";

/**
 * The HTTP/2 servers of a bound server. The library does not show them, and only they have the bytes and the
 * connections. @throws when a new version of the library keeps them elsewhere.
 */
export function http2ServersOf(server: Server): readonly EventEmitter[] {
  const http2Servers: unknown = Reflect.get(server, "http2Servers");
  if (!(http2Servers instanceof Map) || http2Servers.size === 0)
    throw new Error("@grpc/grpc-js: expected bound servers in http2Servers, found none");
  const servers = [...http2Servers.keys()];
  if (!servers.every((each) => each instanceof EventEmitter))
    throw new Error("@grpc/grpc-js: expected HTTP/2 servers");
  return servers;
}
