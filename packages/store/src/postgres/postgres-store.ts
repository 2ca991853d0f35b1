import { type CommittedBatch, outcomesOf } from "../committed-batch.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { Store } from "../ports/store.ts";
import { SettlementQueue } from "../settlement-queue.ts";
import type { SqlStores } from "../sql/sql-stores.ts";

/** The database as a store uses it: connections of this thread, or of another one. */
export interface PostgresParts {
  readonly stores: SqlStores;
  commit(entries: readonly LedgerEntry[]): Promise<CommittedBatch>;
  /** The epoch under which this process holds its log. @throws while it does not hold it. */
  epoch(): Promise<number>;
  check(): Promise<void>;
  sizeBytes(): Promise<number>;
  close(): Promise<void>;
}

export interface PostgresStoreShape {
  readonly logId: string;
  readonly parts: PostgresParts;
  readonly cluster: Cluster | null;
  /** Ends the connections of the cluster. */
  readonly closeCluster: () => Promise<void>;
}

export function createPostgresStore({ logId, parts, cluster, closeCluster }: PostgresStoreShape): Store {
  const { settlements, ...stores } = parts.stores;
  const reports = new SettlementQueue(settlements);
  return {
    ...stores,
    logId,
    ledger: {
      commit: async (entries) => outcomesOf(logId, entries, await parts.commit(entries)),
      settle: async (settlement) => reports.settle(settlement),
      usage: async (key) => settlements.usage(key),
    },
    cluster,
    check: async () => parts.check(),
    sizeBytes: async () => parts.sizeBytes(),
    close: async () => {
      await Promise.all([reports.drain(), closeCluster()]);
      await parts.close();
    },
  };
}
