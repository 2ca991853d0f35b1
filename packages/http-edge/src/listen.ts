import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, Server as SocketServer } from "node:net";

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** `http://host:port`, without a slash at its end. */
  readonly url: string;
  /**
   * Stops accepting. For DRAIN_MS it answers requests that come on open connections, and asks with each
   * answer for the end of its connection. Requests in flight may finish for at most `graceMs`; then the other
   * connections are closed. Resolves when the last connection is closed. A second call waits for the first.
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
 * Milliseconds for which an idle connection stays open at the end. A client may be sending a request on it,
 * and does not repeat a POST that was sent: a proxy would answer 502. Under load, each connection is used
 * within that time.
 */
const DRAIN_MS = 500;

/** Starts listening. @throws ListenError */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<Listening> {
  server.listen({ host, port });
  await once(server, "listening").catch((error: unknown) => {
    throw new ListenError(`${host.includes(":") ? `[${host}]` : host}:${String(port)}`, error);
  });
  const address = server.address() as AddressInfo;
  const urlHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  let closing: Promise<void> | undefined;
  return {
    host: address.address,
    port: address.port,
    url: `http://${urlHost}:${String(address.port)}`,
    close: (graceMs) => (closing ??= close(server, graceMs)),
  };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("connection", "close");
  });
  // The close of an HTTP server would also end its idle connections at once.
  SocketServer.prototype.close.call(server);
  const drainedAtMs = performance.now() + DRAIN_MS;
  // A connection whose last request ends later becomes idle, and Node would keep it open.
  const sweep = setInterval(() => {
    if (performance.now() >= drainedAtMs) server.closeIdleConnections();
  }, IDLE_SWEEP_MS);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
