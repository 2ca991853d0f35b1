import { mkdir } from "node:fs/promises";
import { type CommittedBatch, outcomesOf } from "../committed-batch.ts";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { Store } from "../ports/store.ts";
import { SettlementQueue } from "../settlement-queue.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import { remoteStores } from "../threads/remote-stores.ts";
import { flatBatch } from "./flat-batch.ts";
import { ReaderThread } from "./reader-thread.ts";
import { sizeOfDatabase } from "./size-of-database.ts";
import { SnapshotClient } from "./snapshot-client.ts";
import { WriterClient } from "./writer-client.ts";

export interface SqliteStoreOptions {
  /** Directory of the database; made when it is not there. One process owns it at a time. */
  readonly dataDir: string;
  /** The log that this process appends to. */
  readonly logId: string;
  readonly limits?: StoreLimits;
  /** Called whenever the log of this process has further rows; the first time perhaps for older ones. */
  readonly onRows?: () => void;
}

/**
 * Opens the embedded store. All its work runs in threads of its own: one writes, one serves reads that are
 * only displayed, and one reads a snapshot of control state beside commits. A fault of the second thread ends
 * reads and nothing else.
 * @throws when the directory is in use, cannot be written, or belongs to a newer program.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { dataDir, logId, limits = DEFAULT_STORE_LIMITS, onRows = () => undefined } = options;
  // Rows hold arguments of calls: for the owner's eyes only.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const writer = new WriterClient({ dataDir, logId, limits }, onRows);
  const snapshots = new SnapshotClient({ dataDir }, writer.snapshot);
  try {
    await writer.run({ kind: "open" });
  } catch (error) {
    await Promise.all([writer.close(), snapshots.close()]);
    throw error;
  }
  const reader = new ReaderThread({ dataDir });
  const { settlements, ...stores } = remoteStores({
    writer: async (call) => writer.run({ kind: "call", ...call }),
    reader: async (call) => reader.calls.run({ ...call, files: await writer.files() }),
    snapshot: async () => snapshots.read(await writer.files()),
  });
  const reports = new SettlementQueue(settlements);
  return {
    ...stores,
    logId,
    ledger: {
      commit: async (entries) => {
        const batch = (await writer.run({ kind: "commit", batch: flatBatch(entries) })) as CommittedBatch;
        return outcomesOf(logId, entries, batch);
      },
      settle: async (settlement) => reports.settle(settlement),
      usage: async (key) => settlements.usage(key),
    },
    cluster: null,
    check: async () => settlements.check(),
    sizeBytes: () => sizeOfDatabase(dataDir),
    close: async () => {
      await Promise.all([reports.drain(), reader.close(), snapshots.close()]);
      // Last: the connection that closes last moves the write-ahead log into the database, and only this can.
      await writer.close();
    },
  };
}
