import { Kysely, PostgresDialect, sql } from "kysely";
import { ControlHeadGuard, type ControlMarkKeeper } from "../control-head-guard.ts";
import { type AcknowledgedHead, HeadGuard } from "../head-guard.ts";
import { ControlQueue } from "../sql/control-queue.ts";
import { createSqlStores } from "../sql/sql-stores.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import type { Tables } from "../sql/tables.ts";
import { callStore, type StoreCall } from "../threads/call-store.ts";
import { DiskSpace } from "./disk-space.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { PostgresLedger } from "./postgres-ledger.ts";
import type { PostgresParts } from "./postgres-store.ts";
import { openKyselyPool } from "./primary-pool.ts";
import type { PrimaryServer } from "./primary-server.ts";
import { type Ownership, WriterSession } from "./writer-session.ts";

/** Connections for everything but ledger batches, which have one of their own. */
const MAX_CONNECTIONS = 8;

export interface PostgresConnections {
  readonly server: PrimaryServer;
  readonly logId: string;
  readonly limits: StoreLimits;
  readonly ownership: Ownership;
  /** What the process knows of its log; null at its start. */
  readonly acknowledged: AcknowledgedHead | null;
  readonly controlMarks: ControlMarkKeeper | null;
}

export interface OpenedPostgres extends PostgresParts {
  /** What the process knows of the end of its log. */
  readonly head: HeadGuard;
  /** Calls a method of one of the stores. */
  call(one: StoreCall): Promise<unknown>;
}

/** The database on connections of this thread. The first one is opened by the first use that needs it. */
export function openPostgresHere(options: PostgresConnections): OpenedPostgres {
  const { server, logId, limits, ownership, acknowledged } = options;
  const onFault = (error: unknown): void => room.note(error);
  const pool = openKyselyPool(server, { max: MAX_CONNECTIONS, onFault });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const room = new DiskSpace(db);
  const prepare = async (): Promise<void> => migratePostgres(server, logId);
  const growth = ownership === "log" ? "own" : "allowed";
  const head = new HeadGuard({ logId, growth, acknowledged });
  const session = new WriterSession({ server, logId, ownership, head, prepare });
  const ledger = new PostgresLedger({ session, logId, head, onFault });
  const epoch = async (): Promise<number> => (await session.claim()).epoch;
  const controlHead = new ControlHeadGuard(options.controlMarks);
  const guards = { head, controlHead, controlQueue: new ControlQueue() };
  const context = { db, dialect: "postgres", logId, limits, nowMs: Date.now, epoch, ...guards } as const;
  const stores = createSqlStores(context);
  return {
    stores,
    call: async (one) => callStore(stores, one),
    commit: async (entries) => ledger.commit(entries),
    head,
    epoch,
    check: async () => {
      await stores.settlements.check();
      await room.require();
    },
    sizeBytes: async () => {
      const { rows } = await sql<{
        bytes: string;
      }>`SELECT pg_database_size(current_database()) AS bytes`.execute(db);
      return Number(rows[0]?.bytes);
    },
    close: async () => {
      await ledger.drain();
      try {
        await db.destroy();
      } finally {
        await session.close();
      }
    },
  };
}
