import type { Principal } from "@svc/contract/principal";
import type { Remote } from "@svc/process/service-call";
import { ServiceThread } from "@svc/process/service-thread";
import { SharedTurns } from "@svc/process/shared-turns";
import { threadUrl } from "@svc/process/thread-url";
import type { pageWork } from "./page-work.ts";

/** Milliseconds without a reply after which the thread is stuck. A page takes less than a second. */
const STALL_LIMIT_MS = 30_000;

/**
 * People look at few pages at a time. One job is made at a time, a third of a second for the longest page, so
 * 50 of one organization take 17 s, and another one waits for one of them.
 */
const TURNS = { turns: 1, waitMs: 20_000, ofKey: 10, most: 100 };

/** MiB of heap: some times the longest page. */
const MAX_HEAP_MIB = 128;

/** The thread that makes pages, so that nobody's arguments delay a verdict. It starts with the first page. */
export class PageThread {
  readonly #thread = new ServiceThread<typeof pageWork>({
    name: "svc-approval-pages",
    label: "the thread of approval pages",
    url: threadUrl("page-worker", import.meta.url),
    maxHeapMib: MAX_HEAP_MIB,
    stallLimitMs: STALL_LIMIT_MS,
    closing: "the server is closing",
  });
  readonly #turns = new SharedTurns({ label: "the thread of approval pages", ...TURNS });

  /** Null: the thread has too much to do, or was lost. */
  async do<Result>(
    { org, id: key }: Pick<Principal, "org" | "id">,
    work: (calls: Remote<typeof pageWork>) => Promise<Result>,
  ): Promise<Result | null> {
    return this.#turns.run({ org, key }, () => work(this.#thread.calls)).catch(() => null);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }
}
