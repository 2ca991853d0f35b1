import { Kysely, PostgresDialect, sql } from "kysely";
import { ControlHeadGuard, type ControlMarkKeeper } from "../control-head-guard.ts";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import { HeadGuard } from "../head-guard.ts";
import type { Store } from "../ports/store.ts";
import { SettlementQueue } from "../settlement-queue.ts";
import { ControlTurns } from "../sql/control-turns.ts";
import { createSqlStores } from "../sql/sql-stores.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import type { Tables } from "../sql/tables.ts";
import { ClusterSession } from "./cluster-session.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { createPostgresCluster } from "./postgres-cluster.ts";
import { PostgresLedger } from "./postgres-ledger.ts";
import { openKyselyPool } from "./primary-pool.ts";
import { PrimaryServer } from "./primary-server.ts";
import { StorageRoom } from "./storage-room.ts";
import { type Ownership, WriterSession } from "./writer-session.ts";

/** Connections for everything but ledger batches, which have one of their own. */
const MAX_CONNECTIONS = 8;

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
 * Opens the store in a PostgreSQL database (15 or newer, UTF-8).
 * @throws when it cannot be reached, is in use, runs without fsync, or belongs to a newer program.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, logId, limits = DEFAULT_STORE_LIMITS, ownership = "log" } = options;
  const server = new PrimaryServer(url);
  const onFault = (error: unknown): void => room.note(error);
  const pool = openKyselyPool(server, { max: MAX_CONNECTIONS, onFault });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const room = new StorageRoom(db);
  const prepare = async (): Promise<void> => migratePostgres(server, logId);
  const growth = ownership === "log" ? "own" : "allowed";
  const head = new HeadGuard({ logId, growth, acknowledged: null });
  const session = new WriterSession({ server, logId, ownership, head, prepare });
  const ledger = new PostgresLedger({ session, logId, head, onFault });
  try {
    await session.claim();
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const epoch = async (): Promise<number> => (await session.claim()).epoch;
  const controlHead = new ControlHeadGuard(options.controlMarks);
  const guards = { head, controlHead, controlTurns: new ControlTurns() };
  const context = { db, dialect: "postgres", logId, limits, nowMs: Date.now, epoch, ...guards } as const;
  const { settlements, ...stores } = createSqlStores(context);
  const reports = new SettlementQueue(settlements);
  const clusterSession = new ClusterSession(server);
  return {
    ...stores,
    logId,
    ledger: {
      commit: async (entries) => ledger.commit(entries),
      settle: async (settlement) => reports.settle(settlement),
      usage: async (key) => settlements.usage(key),
    },
    cluster: createPostgresCluster({ session: clusterSession, server, logId, epoch }),
    check: async () => {
      await settlements.check();
      await room.require();
    },
    sizeBytes: async () => {
      const { rows } = await sql<{
        bytes: string;
      }>`SELECT pg_database_size(current_database()) AS bytes`.execute(db);
      return Number(rows[0]?.bytes);
    },
    close: async () => {
      await Promise.all([ledger.drain(), reports.drain(), clusterSession.close()]);
      try {
        await db.destroy();
      } finally {
        await session.close();
      }
    },
  };
}
