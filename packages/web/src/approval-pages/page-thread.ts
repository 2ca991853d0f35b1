import type { Principal } from "@svc/contract/principal";
import { SharedTurns } from "@svc/process/shared-turns";
import { threadUrl } from "@svc/process/thread-url";
import { IDLE_END_MS, WorkerThread } from "@svc/process/worker-thread";
import type { PageJob, PageResult } from "./page-work.ts";

const WORKER_URL = threadUrl("page-worker", import.meta.url);

/** Milliseconds without a reply after which the thread is stuck. A page takes less than a second. */
const STALL_LIMIT_MS = 30_000;

/**
 * People look at few pages at a time. One job is made at a time, a third of a second for the longest page, so
 * 50 of one organization take 17 s, and another one waits for one of them.
 */
const TURNS = { turns: 1, waitMs: 20_000, ofKey: 10, most: 100 };

/** Milliseconds that closing waits for a thread that does not end. */
const CLOSE_LIMIT_MS = 1_000;

/** MiB of heap: some times the longest page. */
const MAX_HEAP_MIB = 128;

/** The thread that makes pages, so that nobody's arguments delay a verdict. It starts with the first page. */
export class PageThread {
  readonly #thread = new WorkerThread<PageJob>({
    name: "svc-approval-pages",
    label: "the thread of approval pages",
    url: WORKER_URL,
    maxHeapMib: MAX_HEAP_MIB,
    stallLimitMs: STALL_LIMIT_MS,
    idleEndMs: IDLE_END_MS,
  });
  readonly #turns = new SharedTurns({ label: "the thread of approval pages", ...TURNS });
  #closed = false;

  /** Null: the thread has too much to do, or was lost. */
  async do<Kind extends PageJob["kind"]>(
    { org, id: key }: Pick<Principal, "org" | "id">,
    job: Extract<PageJob, { kind: Kind }>,
  ): Promise<PageResult[Kind] | null> {
    const order = async () => (this.#closed ? null : await this.#thread.run(job));
    // The thread answers each kind of job with its own kind of result.
    return (await this.#turns.run({ org, key }, order).catch(() => null)) as PageResult[Kind] | null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.abandon(CLOSE_LIMIT_MS, "the server is closing");
  }
}
