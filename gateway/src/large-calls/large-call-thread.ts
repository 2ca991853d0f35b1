import type { Logger } from "@svc/process/logger";
import { threadUrl } from "@svc/process/thread-url";
import { IDLE_END_MS, WorkerThread } from "@svc/process/worker-thread";
import type { LargeCallWorkerData, Order, ReplyTo } from "./protocol.ts";

const WORKER_URL = threadUrl("large-call-worker", import.meta.url);

/**
 * Milliseconds without a reply, while orders wait, after which the thread is stuck and its calls are denied.
 * The longest order takes some 100 ms of one core.
 */
const ORDER_LIMIT_MS = 5_000;

/** MiB of heap for the thread. One parsed call takes up to some 20. A thread that needs more ends alone. */
const MAX_HEAP_MIB = 384;

/** Milliseconds that closing waits for a thread that does not end. */
const CLOSE_LIMIT_MS = 1_000;

/** An order that has a reply. */
type AnsweredOrder = Exclude<Order, { kind: "release" }>;

export interface LargeCallThreadOptions {
  readonly log: Pick<Logger, "error">;
  /** As `KeyedDigest` takes it. */
  readonly digestKey: string;
  /** Another worker or a shorter limit, for tests. */
  readonly workerUrl?: URL;
  readonly orderLimitMs?: number;
  readonly idleEndMs?: number;
}

/**
 * The thread that parses, evaluates and writes rows of large calls, as seen from the serving thread. The
 * first order starts it, and it ends after minutes without one: no call has minutes between its orders.
 */
export class LargeCallThread {
  readonly #thread: WorkerThread<Order>;
  #lastCall = 0;
  #closed = false;

  constructor(options: LargeCallThreadOptions) {
    const { log, digestKey, workerUrl, orderLimitMs, idleEndMs } = options;
    this.#thread = new WorkerThread({
      name: "svc-large-calls",
      label: "the thread of large calls",
      url: workerUrl ?? WORKER_URL,
      workerData: (): LargeCallWorkerData => ({ digestKey }),
      maxHeapMib: MAX_HEAP_MIB,
      stallLimitMs: orderLimitMs ?? ORDER_LIMIT_MS,
      idleEndMs: idleEndMs ?? IDLE_END_MS,
      onLost: (reason, calls) => log.error({ reason, calls }, "the thread of large calls was lost"),
    });
  }

  /** A new number to open a call under. */
  nextCall(): number {
    this.#lastCall += 1;
    return this.#lastCall;
  }

  /** Rejects when the order failed or the thread was lost. The bytes of `open` are handed over. */
  async ask<Kind extends keyof ReplyTo>(
    order: Extract<AnsweredOrder, { kind: Kind }>,
  ): Promise<ReplyTo[Kind]> {
    if (this.#closed) throw new Error("the gateway is closing");
    const any: AnsweredOrder = order;
    const transfer = any.kind === "open" ? [any.bytes.buffer as ArrayBuffer] : [];
    // The thread answers each kind of order with its own kind of reply.
    return (await this.#thread.run(order, transfer)) as ReplyTo[Kind];
  }

  /** Releases a call. A call that is not open is ignored. */
  release(call: number): void {
    this.#thread.tell({ kind: "release", call });
  }

  /** Ends the thread. Pending orders are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.abandon(CLOSE_LIMIT_MS, "the gateway is closing");
  }
}
