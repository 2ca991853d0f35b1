import type { ControlMarkKeeper } from "../control-head-guard.ts";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { Store } from "../ports/store.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import { ClusterSession } from "./cluster-session.ts";
import { openPostgresThread } from "./open-postgres-thread.ts";
import { createPostgresCluster } from "./postgres-cluster.ts";
import { createPostgresStore } from "./postgres-store.ts";
import { PrimaryServer } from "./primary-server.ts";
import type { Ownership } from "./writer-session.ts";

export interface PostgresStoreOptions {
  /**
   * `postgres://...`, with one host or several of which one is the primary. The user must own the schema that
   * its search path names first.
   */
  readonly url: string;
  /** The log that this process appends to. */
  readonly logId: string;
  readonly limits?: StoreLimits;
  /** Null or left out: the process forgets at its end which control changes it knows. */
  readonly controlMarks?: ControlMarkKeeper | null;
  /** `log` when left out. */
  readonly ownership?: Ownership;
}

/**
 * Opens the store in a PostgreSQL database (15 or newer, UTF-8). Its connections belong to a thread
 * of their own, except those of the cluster: a process stays a member while that thread is replaced.
 * @throws when it cannot be reached, is in use, runs without fsync, or belongs to a newer program.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, logId, limits = DEFAULT_STORE_LIMITS, ownership = "log", controlMarks = null } = options;
  const server = new PrimaryServer(url);
  const client = openPostgresThread({ url, logId, limits, ownership }, controlMarks);
  try {
    await client.epoch();
  } catch (error) {
    await client.close();
    throw error;
  }
  const session = new ClusterSession(server);
  const epoch = async (): Promise<number> => client.epoch();
  return createPostgresStore({
    logId,
    parts: client,
    cluster: createPostgresCluster({ session, server, logId, epoch }),
    closeCluster: async () => session.close(),
  });
}
