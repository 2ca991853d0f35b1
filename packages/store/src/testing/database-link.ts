import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP port that leads to a PostgreSQL, until the test breaks it. */
export interface DatabaseLink {
  /** `127.0.0.1:<port>`, for the hosts of an address. */
  readonly host: string;
  /** The address of the same database by way of the link. */
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps every connection open and passes nothing on, as a silent network does. */
  freeze(): void;
  /** Leads there again, by the same port. What was frozen is passed on. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** @param databaseUrl as `PostgresServer` gives it, or with an IP address and a port */
export async function startDatabaseLink(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const { searchParams } = target;
  const folder = searchParams.get("host");
  const way =
    folder === null
      ? { host: target.hostname, port: Number(target.port) }
      : { path: `${folder}/.s.PGSQL.${searchParams.get("port") ?? ""}` };
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
    if (isFrozen) from.pause();
  };
  const server = createServer((near) => {
    const far = connect(way);
    join(near, far);
    join(far, near);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${String(port)}`;
  return {
    host,
    url: `postgres://${target.username}@${host}${target.pathname}`,
    cut,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    mend: async () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
