import type { DatabaseSync } from "node:sqlite";
import { outcomesOf } from "../committed-batch.ts";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { Store } from "../ports/store.ts";
import { SettlementQueue } from "../settlement-queue.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import { callStore, type StoreCall } from "../threads/call-store.ts";
import { remoteStores } from "../threads/remote-stores.ts";
import { emptyDatabase } from "./empty-database.ts";
import { type Job, MemoryWriter } from "./memory-writer.ts";
import { Turns } from "./turns.ts";

export interface MemoryStoreOptions {
  /** The log that the store appends to; `log` by default. */
  readonly logId?: string;
  /** Read at each change, so a test may lower them later. */
  readonly limits?: StoreLimits;
  /** The clock of the store, unix milliseconds; that of the process by default. */
  readonly nowMs?: () => number;
}

export interface MemoryStore extends Store {
  /** Lets a test read and change rows without the store. */
  readonly connection: DatabaseSync;
  /** The text of each row of the log, in order. */
  readonly rowTexts: () => readonly string[];
}

/** A database in memory, which outlives the stores that are opened on it one after another. */
export class MemoryDatabase {
  readonly connection = emptyDatabase();
  #isOpen = false;

  /**
   * Opens the store of the embedded database on the calling thread: the statements of the product, and
   * nothing that waits for a disk or for another thread. The first call takes the log over.
   * @throws while another store is open on this database.
   */
  open(options: MemoryStoreOptions = {}): MemoryStore {
    const { logId = "log", limits = DEFAULT_STORE_LIMITS, nowMs = Date.now } = options;
    if (this.#isOpen) throw new Error("the database is in use by another store");
    this.#isOpen = true;
    const release = (): void => void (this.#isOpen = false);
    return openOn(this.connection, { logId, limits, nowMs, release });
  }
}

/** A store on a new database. */
export function openMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  return new MemoryDatabase().open(options);
}

interface OpenOptions extends Required<MemoryStoreOptions> {
  readonly release: () => void;
}

function openOn(connection: DatabaseSync, options: OpenOptions): MemoryStore {
  const { logId, release } = options;
  const turns = new Turns();
  const writer = new MemoryWriter(connection, options);
  const run = <Value>(job: Job<Value>) => turns.run(() => writer.run(job));
  const call = (one: StoreCall) => run(({ stores }) => callStore(stores, one));
  const { settlements, ...stores } = remoteStores({ writer: call, reader: call, snapshot: call });
  const reports = new SettlementQueue(settlements);
  const ledger: Ledger = {
    commit: async (entries) =>
      outcomesOf(logId, entries, await run(({ committer }) => committer.commit(entries))),
    settle: async (settlement) => reports.settle(settlement),
    usage: async (key) => settlements.usage(key),
  };
  return {
    ...stores,
    logId,
    connection,
    rowTexts: () => rowTextsOf(connection, logId),
    ledger,
    cluster: null,
    check: async () => settlements.check(),
    sizeBytes: () => run(() => sizeOf(connection)),
    close: async () => {
      await reports.drain();
      await turns.end("the store is closed");
      release();
    },
  };
}

function rowTextsOf(connection: DatabaseSync, logId: string): string[] {
  const rows = connection.prepare("SELECT bytes FROM audit_rows WHERE log_id = ? ORDER BY seq").all(logId);
  return rows.map(({ bytes }) => Buffer.from(bytes as Uint8Array).toString());
}

function sizeOf(connection: DatabaseSync): number {
  const query = "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size";
  return Number(connection.prepare(query).get()?.["bytes"]);
}
