import type { ServerHttp2Stream } from "node:http2";
import { Server as NetServer, type Socket } from "node:net";
import type { Server } from "@grpc/grpc-js";
import { type ConnectionGate, proveConnection } from "@svc/http-edge/connections/connection-gate";
import { http2ServersOf } from "./http2-servers.ts";

/**
 * Puts the gate before the listeners of a bound server. A connection is proven by its first stream: the head
 * of a request, behind the client certificate where one is required.
 */
export function guardConnections(server: Server, gate: ConnectionGate): void {
  const sockets = new Map<string, Socket>();
  for (const http2Server of http2ServersOf(server)) {
    if (!(http2Server instanceof NetServer)) throw new Error("@grpc/grpc-js: expected servers of node:net");
    http2Server.on("connection", (socket: Socket) => {
      const peer = peerOf(socket);
      sockets.set(peer, socket);
      socket.once("close", () => sockets.delete(peer));
    });
    http2Server.on("stream", ({ session }: ServerHttp2Stream) => {
      // The session shows a stand-in of its socket, or one of TLS.
      const socket = session === undefined ? undefined : sockets.get(peerOf(session.socket));
      if (socket !== undefined) proveConnection(socket);
    });
    gate.guard(http2Server);
  }
}

function peerOf({
  remoteAddress = "",
  remotePort = 0,
}: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${String(remotePort)}`;
}
