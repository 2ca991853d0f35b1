import { threadUrl } from "@svc/process/thread-url";
import { IDLE_END_MS, WorkerThread } from "@svc/process/worker-thread";
import type { ReaderJob, ReaderSettings } from "./reader.ts";

const WORKER_URL = threadUrl("reader-worker", import.meta.url);

/**
 * Milliseconds without a reply after which the thread is stuck. The longest page takes less than a second of
 * one core, and its priority is low.
 */
const STALL_LIMIT_MS = 30_000;

/** Reads that may wait for the thread, as count: each is a page of a list, read in milliseconds. */
const MAX_WAITING = 256;

/** Milliseconds that closing waits for a thread that does not end. */
const CLOSE_LIMIT_MS = 1_000;

export interface ReaderClientOptions extends ReaderSettings {
  /** Another worker or a shorter limit, for tests. */
  readonly workerUrl?: URL;
  readonly stallLimitMs?: number;
  readonly idleEndMs?: number;
}

/**
 * The reader's thread as seen from the serving one. It starts with the first read, and ends when minutes have
 * passed without a read.
 */
export class ReaderClient {
  readonly #thread: WorkerThread<ReaderJob>;
  #closed = false;

  constructor(options: ReaderClientOptions) {
    const { workerUrl = WORKER_URL, stallLimitMs = STALL_LIMIT_MS, idleEndMs = IDLE_END_MS } = options;
    const settings: ReaderSettings = { dataDir: options.dataDir };
    this.#thread = new WorkerThread({
      name: "svc-store-reader",
      label: "the reader thread",
      url: workerUrl,
      workerData: () => settings,
      stallLimitMs,
      idleEndMs,
    });
  }

  async run(job: ReaderJob): Promise<unknown> {
    if (this.#closed) throw new Error("the store is closed");
    if (this.#thread.waiting >= MAX_WAITING) {
      throw new Error(`expected at most ${String(MAX_WAITING)} reads to wait; try again later`);
    }
    return this.#thread.run(job);
  }

  /** Ends the thread without waiting for reads, because nothing depends on them. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.abandon(CLOSE_LIMIT_MS, "the store is closed");
  }
}
