import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type LinkWay = "to database" | "from database";

/** A TCP port that leads to a PostgreSQL, until the test breaks it. */
export interface DatabaseLink {
  /** Address and port, for the hosts of an address of PostgreSQL. */
  readonly host: string;
  /** The address of the same database by way of the link. */
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps every connection open and passes nothing on in these ways, as a silent network does. */
  freeze(ways?: readonly LinkWay[]): void;
  /** Does that to every second one of the connections that are open now. */
  freezeSome(): void;
  /** Leads there again, by the same port. What was frozen is passed on. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param databaseUrl as `PostgresServer` gives it, or with an IP address and a port
 * @param address a loopback address at which the link listens
 */
export async function startDatabaseLink(databaseUrl: string, address = "127.0.0.1"): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const { searchParams } = target;
  const folder = searchParams.get("host");
  const way =
    folder === null
      ? { host: target.hostname, port: Number(target.port) }
      : { path: `${folder}/.s.PGSQL.${searchParams.get("port") ?? ""}` };
  const connections = new Connections();
  const server = createServer((near) => connections.add(near, connect(way)));
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, address, () => {
        server.off("error", reject);
        resolve();
      });
    });
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    connections.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const host = `${address}:${String(port)}`;
  return {
    host,
    url: `postgres://${target.username}@${host}${target.pathname}`,
    cut,
    freeze: (ways = ["to database", "from database"]) => connections.freeze(ways),
    freezeSome: () => connections.freezeSome(),
    mend: async () => {
      connections.resume();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}

/** What comes from one end of a connection. */
interface Half {
  readonly from: Socket;
  readonly way: LinkWay;
  isHeld: boolean;
}

class Connections {
  /** A connection is two halves in a row. */
  readonly #halves = new Set<Half>();
  #frozen: readonly LinkWay[] = [];

  add(near: Socket, far: Socket): void {
    this.#join(near, far, "to database");
    this.#join(far, near, "from database");
  }

  /** New connections too are frozen until `resume`. */
  freeze(ways: readonly LinkWay[]): void {
    this.#frozen = ways;
    this.#hold([...this.#halves].filter(({ way }) => ways.includes(way)));
  }

  freezeSome(): void {
    this.#hold([...this.#halves].filter((_, at) => at % 4 < 2));
  }

  resume(): void {
    this.#frozen = [];
    for (const half of this.#halves) {
      half.isHeld = false;
      half.from.resume();
    }
  }

  destroy(): void {
    for (const { from } of this.#halves) from.destroy();
  }

  #join(from: Socket, to: Socket, way: LinkWay): void {
    const half = { from, way, isHeld: this.#frozen.includes(way) };
    this.#halves.add(half);
    from.on("error", () => to.destroy());
    from.on("close", () => {
      this.#halves.delete(half);
      to.destroy();
    });
    from.on("end", () => to.end());
    from.on("data", (bytes: Buffer) => {
      if (to.write(bytes)) return;
      from.pause();
      to.once("drain", () => half.isHeld || from.resume());
    });
    if (half.isHeld) from.pause();
  }

  #hold(halves: readonly Half[]): void {
    for (const half of halves) {
      half.isHeld = true;
      half.from.pause();
    }
  }
}
