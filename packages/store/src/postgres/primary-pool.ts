import type { PostgresPool } from "kysely";
import { Client, type ClientBase, Pool, type PoolClient } from "pg";
import { acceptConnection } from "./accept-connection.ts";
import { connectionConfig } from "./connection-config.ts";
import { deadlinePool } from "./deadline-pool.ts";
import { PrimaryServer } from "./primary-server.ts";

export interface PrimaryPoolOptions {
  /** Most connections, as count. */
  readonly max: number;
  /** Further settings of the sessions, as in the option `-c`. */
  readonly settings?: string;
  /** `read`: a standby will do, and every transaction is read-only. */
  readonly access?: "read";
  /** Milliseconds for one statement and for one lock; those of `connectionConfig` when left out. */
  readonly limitMs?: number;
  /** Called with the fault of each statement of a pool for kysely. */
  readonly onFault?: (error: unknown) => void;
}

/** Connections to the server of an address that takes writes. Each new one goes to where that server is. */
export function openPrimaryPool(url: string, options: PrimaryPoolOptions): Pool {
  return poolOf(new PrimaryServer(url), options);
}

/** The same for kysely, with a deadline for each query. */
export function openKyselyPool(server: PrimaryServer, options: PrimaryPoolOptions): PostgresPool {
  const pool = poolOf(server, options);
  const connect = () => server.find<PoolClient>(() => pool.connect());
  return deadlinePool(pool, { connect, deadlineMs: options.limitMs, onFault: options.onFault });
}

function poolOf(server: PrimaryServer, { max, settings = "", access, limitMs }: PrimaryPoolOptions): Pool {
  const configOf = (url: string) => {
    const config = connectionConfig(url);
    const readOnly = access === "read" ? "-c default_transaction_read_only=on" : "";
    const limits = limitMs === undefined ? {} : { statement_timeout: limitMs, lock_timeout: limitMs };
    return { ...config, ...limits, options: [config.options, settings, readOnly].join(" ") };
  };
  // The pool makes its clients without arguments, and the host may be another one than for the last client.
  class HostedClient extends Client {
    readonly url: string;

    constructor() {
      const { url } = server;
      super(configOf(url));
      this.url = url;
      // A connection that ends leads the next one to the next host, and from there back if need be.
      this.once("end", () => (this.isWritable ? undefined : server.leave(url)));
    }

    isWritable = false;
  }
  const acceptClient = async (client: ClientBase): Promise<void> => {
    if (!(client instanceof HostedClient)) return;
    if (access !== "read") await acceptConnection(client, client.url);
    client.isWritable = true;
  };
  // The pool waits for the promise of onConnect, which its types do not say.
  const hooks = { Client: HostedClient, onConnect: acceptClient };
  // An idle connection to a server that does not answer does not keep the process from ending.
  return new Pool({ ...configOf(server.url), ...hooks, max, allowExitOnIdle: true });
}
