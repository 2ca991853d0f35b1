import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, Server as SocketServer } from "node:net";
import type { Lane } from "./lane/lane.ts";
import { isTlsServer } from "./tls/tls-server.ts";

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** `http://host:port`, or with `https`, without a slash at its end. */
  readonly url: string;
  /**
   * Stops accepting. It goes on answering requests that come on open connections until none has come for
   * QUIET_MS, for at most DRAIN_LIMIT_MS, and asks with each answer for the end of its connection. Requests
   * in flight may finish for at most `graceMs`; then the other connections are closed. Resolves when the last
   * connection is closed. A second call waits for the first.
   */
  close(graceMs: number): Promise<void>;
}

/** The address could not be taken. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  /** `host:port`, an IPv6 host in brackets. */
  readonly address: string;

  constructor(address: string, cause: unknown) {
    super(`cannot listen on ${address}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.address = address;
  }
}

/** Milliseconds between two checks for idle connections while closing. */
const IDLE_SWEEP_MS = 20;

/**
 * Milliseconds without any request after which idle connections are closed at the end. A client that is
 * sending a request at that moment gets no answer, and it does not repeat a POST that was sent: a proxy would
 * answer 502. HTTP/1.1 has no way to rule that out. A proxy that has requests takes its idle connections one
 * after another, and each answer ends one. So closing waits until they are used up or nobody asks.
 */
const QUIET_MS = 500;

/** Most milliseconds of that: shorter than the graces, so that the last requests can still be answered. */
const DRAIN_LIMIT_MS = 3_000;

/**
 * Connections that the kernel keeps until the thread accepts them, as count; the kernel may keep fewer
 * (net.core.somaxconn). Beyond it a client tries again after a second: a kill switch would wait so long when
 * many connect at once. Node's default is 511.
 */
const BACKLOG = 4_096;

/** The part of a lane that closing needs. */
export type ClosableLane = Pick<Lane, "drain" | "closeIdleConnections" | "closeAllConnections">;

/**
 * Starts listening.
 * @param lane the lane in front of the server's parser, which has its own connections
 * @throws ListenError
 */
export async function listen(
  server: Server,
  { host, port }: ListenAddress,
  lane: ClosableLane | null = null,
): Promise<Listening> {
  server.listen({ host, port, backlog: BACKLOG });
  await once(server, "listening").catch((error: unknown) => {
    throw new ListenError(`${host.includes(":") ? `[${host}]` : host}:${String(port)}`, error);
  });
  const address = server.address() as AddressInfo;
  const urlHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  let closing: Promise<void> | undefined;
  return {
    host: address.address,
    port: address.port,
    url: `${isTlsServer(server) ? "https" : "http"}://${urlHost}:${String(address.port)}`,
    close: (graceMs) => (closing ??= close(server, lane, graceMs)),
  };
}

async function close(server: Server, lane: ClosableLane | null, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  const beganAtMs = performance.now();
  let lastRequestMs = beganAtMs;
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    lastRequestMs = performance.now();
    response.setHeader("connection", "close");
  });
  lane?.drain();
  // The close of an HTTP server would also end its idle connections at once.
  SocketServer.prototype.close.call(server);
  // A connection whose last request ends later becomes idle, and Node would keep it open.
  const sweep = setInterval(() => {
    const nowMs = performance.now();
    if (nowMs - lastRequestMs < QUIET_MS && nowMs - beganAtMs < DRAIN_LIMIT_MS) return;
    lane?.closeIdleConnections();
    server.closeIdleConnections();
  }, IDLE_SWEEP_MS);
  const end = setTimeout(() => {
    lane?.closeAllConnections();
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
