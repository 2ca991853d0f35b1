import type { Logger } from "@svc/process/logger";
import { IDLE_END_MS, WorkerThread } from "@svc/process/worker-thread";

/**
 * Milliseconds for one order, the thread's start included. The worst document of 256 KiB takes some 1,300 ms
 * of one core, and the budget of a simulation ends before; a thread that is later than this is stuck.
 */
const ORDER_LIMIT_MS = 10_000;

/** MiB of heap for the thread. The worst document takes some 100; past it the thread alone ends. */
const MAX_HEAP_MIB = 384;

/** Milliseconds that closing waits for a thread that does not end. */
const CLOSE_LIMIT_MS = 1_000;

export interface PolicyThreadOptions {
  readonly log: Pick<Logger, "error">;
  /** Another worker or a shorter limit, for tests. */
  readonly workerUrl?: URL;
  readonly orderLimitMs?: number;
  readonly maxHeapMib?: number;
  readonly idleEndMs?: number;
}

/**
 * A thread that works on policies, as seen from the one that serves calls. The first order starts it, and it
 * ends after minutes without one.
 */
export class PolicyThread<Order> {
  readonly #thread: WorkerThread<Order>;
  #isClosed = false;

  /** @param name of the thread and of its worker's file, such as `policy-compiler` */
  constructor(
    name: "policy-compiler" | "policy-simulator" | "policy-replayer",
    workerUrl: URL,
    options: PolicyThreadOptions,
  ) {
    const { log, orderLimitMs = ORDER_LIMIT_MS, maxHeapMib = MAX_HEAP_MIB } = options;
    const label = `the ${name.replace("-", " ")}'s thread`;
    this.#thread = new WorkerThread({
      name: `svc-${name}`,
      label,
      url: workerUrl,
      maxHeapMib,
      stallLimitMs: orderLimitMs,
      idleEndMs: options.idleEndMs ?? IDLE_END_MS,
      onLost: (reason) => {
        if (!this.#isClosed) log.error({ reason }, `${label} was lost`);
      },
    });
  }

  /** Rejects when the thread was lost, which says nothing about the order. */
  async run(order: Order): Promise<unknown> {
    if (this.#isClosed) throw new Error("the process is closing");
    return this.#thread.run(order);
  }

  /** Ends the thread. Orders without a reply are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.abandon(CLOSE_LIMIT_MS, "the process is closing");
  }
}
