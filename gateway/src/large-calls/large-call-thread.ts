import { Worker } from "node:worker_threads";
import type { Logger } from "@svc/process/logger";
import type { LargeCallWorkerData, NumberedOrder, NumberedReply, Order, ReplyTo } from "./protocol.ts";

/** Beside this file as a source, beside the bundle when bundled. */
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./large-call-worker.ts" : "./large-call-worker.js",
  import.meta.url,
);

/**
 * Milliseconds for one order, the thread's start and the orders before it included. The longest order takes
 * some 100 ms of one core; a thread that is later than this is stuck, and its calls are denied.
 */
const ORDER_LIMIT_MS = 5_000;

/** MiB of heap for the thread. One parsed call takes up to some 20; past it the thread alone ends. */
const MAX_HEAP_MIB = 384;

/** An order that has a reply. */
type AnsweredOrder = Exclude<Order, { kind: "release" }>;

interface Pending {
  resolve(value: ReplyTo[keyof ReplyTo]): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

export interface LargeCallThreadOptions {
  readonly log: Logger;
  /** As `KeyedDigest` takes it. */
  readonly digestKey: string;
  /** Another worker or a shorter limit, for tests. */
  readonly workerUrl?: URL;
  readonly orderLimitMs?: number;
}

/**
 * The thread that parses, evaluates and writes rows of large calls, as seen from the serving thread. A thread
 * that ends or is stuck is replaced at the next order; what it still owed is rejected at once.
 */
export class LargeCallThread {
  readonly #options: LargeCallThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;
  #closed = false;

  constructor(options: LargeCallThreadOptions) {
    this.#options = options;
  }

  /** Starts the thread, so that the first large call does not wait for it. */
  start(): void {
    this.#worker ??= this.#startWorker();
  }

  /** A number under which a call can be opened. */
  nextCall(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Rejects when the order failed or the thread was lost. The bytes of `open` are handed over. */
  ask<Kind extends keyof ReplyTo>(order: Extract<AnsweredOrder, { kind: Kind }>): Promise<ReplyTo[Kind]> {
    if (this.#closed) return Promise.reject(new Error("the gateway is closing"));
    const { promise, resolve, reject } = Promise.withResolvers<ReplyTo[keyof ReplyTo]>();
    this.start();
    const id = this.nextCall();
    const limitMs = this.#options.orderLimitMs ?? ORDER_LIMIT_MS;
    this.#pending.set(id, { resolve, reject, timer: setTimeout(() => this.#onLate(id), limitMs) });
    this.#post({ id, order });
    // The thread answers each kind of order with its own kind of reply.
    return promise as Promise<ReplyTo[Kind]>;
  }

  /** Lets go of a call. A call that is not open is ignored. */
  release(call: number): void {
    if (this.#worker !== null) this.#post({ id: 0, order: { kind: "release", call } });
  }

  /** Ends the thread. What is still pending is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#lose(worker, "the gateway is closing");
    await worker?.terminate();
  }

  #post(numbered: NumberedOrder): void {
    const { order } = numbered;
    const transferred = order.kind === "open" ? [order.bytes.buffer as ArrayBuffer] : [];
    this.#worker?.postMessage(numbered, transferred);
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.workerUrl ?? WORKER_URL, {
      name: "svc-large-calls",
      workerData: { digestKey: this.#options.digestKey } satisfies LargeCallWorkerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    let reason = "it exited";
    worker.on("message", (reply: NumberedReply) => this.#receive(reply));
    worker.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on("exit", () => this.#lose(worker, reason));
    return worker;
  }

  #receive(reply: NumberedReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    clearTimeout(pending?.timer);
    if (reply.ok) pending?.resolve(reply.value);
    else pending?.reject(new Error(reply.message));
  }

  /** The reply may lie there unread: this thread may be the one that was late. */
  #onLate(id: number): void {
    const worker = this.#worker;
    setImmediate(() => {
      if (!this.#pending.has(id)) return;
      this.#lose(worker, "it is stuck");
      void worker?.terminate();
    });
  }

  #lose(worker: Worker | null, reason: string): void {
    if (worker === null || this.#worker !== worker) return;
    this.#worker = null;
    worker.removeAllListeners("message");
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    if (lost.length > 0) {
      this.#options.log.error({ reason, calls: lost.length }, "the thread of large calls was lost");
    }
    for (const pending of lost) {
      clearTimeout(pending.timer);
      pending.reject(new Error(`the thread of large calls was lost: ${reason}`));
    }
  }
}
