import type { ReplayOrder, ReplayReply, RowPage } from "@svc/policy-analysis/replay-exchange";
import { threadUrl } from "@svc/process/thread-url";
import { PolicyThread, type PolicyThreadOptions } from "./policy-thread.ts";
import type { ReplayerOrder } from "./replayer-protocol.ts";

const WORKER_URL = threadUrl("replayer-worker", import.meta.url);

/**
 * Milliseconds for one order: its own time, the longest call and the compilation of a candidate, at the
 * lowest priority of a busy machine.
 */
const ORDER_LIMIT_MS = 60_000;

/** MiB of heap for the thread: two replays with as many sessions as one may have. */
const MAX_HEAP_MIB = 768;

/**
 * The thread that decides recorded calls again, as seen from the one that serves calls. The first order
 * starts it. Every method rejects when the thread was lost; all work on it is lost then, too.
 */
export class ReplayerThread {
  readonly #thread: PolicyThread<ReplayerOrder>;

  constructor({ workerUrl = WORKER_URL, ...options }: PolicyThreadOptions) {
    this.#thread = new PolicyThread("policy-replayer", workerUrl, {
      orderLimitMs: ORDER_LIMIT_MS,
      maxHeapMib: MAX_HEAP_MIB,
      ...options,
    });
  }

  begin(order: ReplayOrder): Promise<ReplayReply> {
    return this.#ask({ kind: "begin", order });
  }

  /** Hands over the rows that were needed. */
  rows(id: string, logId: string, page: RowPage): Promise<ReplayReply> {
    return this.#ask({ kind: "rows", id, logId, page });
  }

  goOn(id: string): Promise<ReplayReply> {
    return this.#ask({ kind: "go_on", id });
  }

  /** Forgets the work. */
  async drop(id: string): Promise<void> {
    await this.#ask({ kind: "drop", id });
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #ask(order: ReplayerOrder): Promise<ReplayReply> {
    return (await this.#thread.run(order)) as ReplayReply;
  }
}
