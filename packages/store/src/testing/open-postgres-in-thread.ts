import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { Store } from "../ports/store.ts";
import { openPostgresHere } from "../postgres/open-postgres-here.ts";
import type { PostgresStoreOptions } from "../postgres/open-postgres-store.ts";
import { createPostgresStore } from "../postgres/postgres-store.ts";
import { PrimaryServer } from "../postgres/primary-server.ts";

/** A store without a cluster whose connections belong to this thread: for tests that watch its statements. */
export async function openPostgresInThread(options: PostgresStoreOptions): Promise<Store> {
  const { url, logId, limits = DEFAULT_STORE_LIMITS, ownership = "log", controlMarks = null } = options;
  const server = new PrimaryServer(url);
  const parts = openPostgresHere({
    server,
    logId,
    limits,
    ownership,
    controlMarks,
    acknowledged: null,
  });
  try {
    await parts.epoch();
  } catch (error) {
    await parts.close();
    throw error;
  }
  return createPostgresStore({ logId, parts, cluster: null, closeCluster: async () => Promise.resolve() });
}
