import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

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
   * Stops accepting, lets requests in flight finish for at most `graceMs`, then closes the other connections.
   * Resolves when the last connection is closed. A second call waits for the first.
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
  server.close();
  // A connection whose last request ends during the grace becomes idle, and Node would keep it open.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const end = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(end);
}
