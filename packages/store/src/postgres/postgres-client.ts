import { threadUrl } from "@svc/process/thread-url";
import { WorkerThread } from "@svc/process/worker-thread";
import type { CommittedBatch } from "../committed-batch.ts";
import type { ControlMark, ControlMarkKeeper } from "../control-head-guard.ts";
import type { AcknowledgedHead } from "../head-guard.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { SqlStores } from "../sql/sql-stores.ts";
import type { StoreCall } from "../threads/call-store.ts";
import { remoteStores } from "../threads/remote-stores.ts";
import { parseFault } from "./postgres-fault.ts";
import type { PostgresDone, PostgresJob, PostgresSettings, PostgresThreadData } from "./postgres-protocol.ts";
import type { PostgresParts } from "./postgres-store.ts";

const WORKER_URL = threadUrl("postgres-worker", import.meta.url);

/** The thread with the connections to PostgreSQL, as seen from the serving one. */
export class PostgresClient implements PostgresParts {
  /** Same methods, same results as in that thread, each call one message each way. */
  readonly stores: SqlStores;
  readonly #thread: WorkerThread<PostgresJob>;
  readonly #keeper: ControlMarkKeeper | null;
  #acknowledged: AcknowledgedHead | null = null;
  #mark: ControlMark | null;
  #closing: Promise<void> | null = null;

  constructor(settings: PostgresSettings, keeper: ControlMarkKeeper | null) {
    const call = async (of: StoreCall): Promise<unknown> => this.#run({ kind: "call", ...of });
    this.stores = remoteStores({ writer: call, reader: call, snapshot: call });
    this.#keeper = keeper;
    this.#mark = keeper?.known ?? null;
    this.#thread = new WorkerThread({
      name: "svc-store-postgres",
      label: "the thread of PostgreSQL",
      url: WORKER_URL,
      workerData: (): PostgresThreadData => ({
        ...settings,
        acknowledged: this.#acknowledged,
        mark: this.#mark,
        howToForget: keeper?.howToForget ?? null,
      }),
      // Every statement has a deadline of its own.
      stallLimitMs: null,
    });
  }

  async epoch(): Promise<number> {
    return (await this.#run({ kind: "epoch" })) as number;
  }

  async commit(entries: readonly LedgerEntry[]): Promise<CommittedBatch> {
    return (await this.#run({ kind: "commit", entries })) as CommittedBatch;
  }

  async check(): Promise<void> {
    await this.#run({ kind: "check" });
  }

  async sizeBytes(): Promise<number> {
    return (await this.#run({ kind: "size" })) as number;
  }

  /** Finishes what was handed over, then ends the thread. */
  close(): Promise<void> {
    this.#closing ??= this.#thread.finish({ kind: "close" });
    return this.#closing;
  }

  async #run(job: PostgresJob): Promise<unknown> {
    if (this.#closing !== null) throw new Error("the store is closed");
    const { value, fault, head, mark } = (await this.#thread.run(job)) as PostgresDone;
    this.#acknowledged = head ?? this.#acknowledged;
    if (mark !== null && mark.revision > (this.#mark?.revision ?? 0)) {
      this.#mark = mark;
      this.#keeper?.keep(mark);
    }
    if (fault !== null) throw parseFault(fault);
    return value;
  }
}
