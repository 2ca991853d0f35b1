import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** `http://host:port`, without a slash at its end. */
  readonly url: string;
  /** Stops accepting, lets requests in flight finish for at most `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

/** Starts listening. @throws when the address cannot be taken, naming it. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<Listening> {
  server.listen({ host, port });
  await once(server, "listening").catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot listen on ${host}:${String(port)}: ${why}`);
  });
  const address = server.address() as AddressInfo;
  const urlHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    host: address.address,
    port: address.port,
    url: `http://${urlHost}:${String(address.port)}`,
    close: (graceMs) => close(server, graceMs),
  };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
