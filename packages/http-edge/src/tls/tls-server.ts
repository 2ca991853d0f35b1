import type { Server, ServerOptions } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Server as NetServer, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { HEADERS_TIMEOUT_MS } from "@svc/contract/limits";
import { shareProof } from "../connections/connection-gate.ts";
import type { ListenerTls } from "./listener-tls.ts";
import { secureContextOf } from "./secure-context.ts";

/** A handshake that failed. */
export interface HandshakeFault {
  readonly error: Error;
  readonly peer: string;
}

export interface TlsServerOptions {
  readonly tls: ListenerTls;
  readonly onHandshakeFault: (fault: HandshakeFault) => void;
  /** Milliseconds for a handshake: as long as for the head of a request. */
  readonly handshakeTimeoutMs?: number;
}

/**
 * A server of HTTP/1.1 behind TLS whose certificates are replaced while it serves. Connections that stand do
 * not change. The modules of Node for TLS are loaded here alone, because most listeners have none.
 */
export function createTlsServer(
  http: ServerOptions,
  { tls, onHandshakeFault, handshakeTimeoutMs = HEADERS_TIMEOUT_MS }: TlsServerOptions,
): Server {
  const { createServer } = process.getBuiltinModule("node:https");
  const isMutual = tls.kind === "mutual";
  const server = createServer({
    ...http,
    ...secureContextOf(tls.files),
    ALPNProtocols: ["http/1.1"],
    requestCert: isMutual,
    rejectUnauthorized: isMutual,
    handshakeTimeout: handshakeTimeoutMs,
  });
  // Node would have the fault answered as that of a request.
  server.removeAllListeners("tlsClientError");
  server.on("tlsClientError", (error: Error, socket: TLSSocket) => {
    onHandshakeFault({ error, peer: socket.remoteAddress ?? "" });
    socket.destroy();
  });
  joinSockets(server);
  const stop = tls.follow((files) => server.setSecureContext(secureContextOf(files)));
  server.once("close", stop);
  return server;
}

/** Whether a server speaks TLS. */
export function isTlsServer(server: NetServer): boolean {
  return "setSecureContext" in server;
}

/**
 * A connection in its handshake has no parser yet, so the server would not close it. Afterwards the parser
 * and the gate know it by different sockets, and what proves the one proves the other.
 */
function joinSockets(server: HttpsServer): void {
  const handshakes = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    handshakes.set(peer, socket);
    socket.once("close", () => {
      if (handshakes.get(peer) === socket) handshakes.delete(peer);
    });
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    const peer = peerOf(socket);
    const raw = handshakes.get(peer);
    if (raw === undefined) return;
    handshakes.delete(peer);
    shareProof(raw, socket);
  });
  for (const name of ["closeIdleConnections", "closeAllConnections"] as const) {
    const closeOthers = server[name].bind(server);
    server[name] = () => {
      for (const socket of handshakes.values()) socket.destroy();
      closeOthers();
    };
  }
}

function peerOf({ remoteAddress = "", remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${String(remotePort)}`;
}
