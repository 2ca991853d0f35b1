import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** One job of the serving thread for a thread of the store. */
export interface NumberedJob<Job> {
  readonly id: number;
  readonly job: Job;
}

export type JobReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

export interface StoreThreadOptions {
  /** What people read in errors and in lists of threads: `writer`, `reader`. */
  readonly role: string;
  readonly workerUrl: URL;
  /** Called at each start of the thread. */
  readonly workerData: () => unknown;
  /**
   * Milliseconds without any reply, while jobs wait, after which the thread counts as stuck. Null: it may
   * take as long as it likes.
   */
  readonly stallLimitMs: number | null;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * A thread of the store as seen from the serving thread. Every job gets one reply. A thread that ends is
 * replaced at the next job, and a thread that is stuck is ended; what either of them still owed is rejected
 * at once. While a stuck thread has not ended, jobs are rejected, so at most one thread of a role exists.
 */
export class StoreThread<Job> {
  readonly #options: StoreThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #ending: Worker | null = null;
  #stall: NodeJS.Timeout | undefined;
  #lastId = 0;
  #replies = 0;

  constructor(options: StoreThreadOptions) {
    this.#options = options;
  }

  /** How many jobs wait for their reply. */
  get waiting(): number {
    return this.#pending.size;
  }

  run(job: Job): Promise<unknown> {
    if (this.#ending !== null) return Promise.reject(this.#lost("it is stuck and has not ended yet"));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#lastId += 1;
    const request: NumberedJob<Job> = { id: this.#lastId, job };
    this.#pending.set(request.id, { resolve, reject });
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
    if (this.#pending.size === 1) this.#watch();
    return promise;
  }

  /**
   * Runs a last job after which the thread ends by itself, and waits for that. Nothing runs without a
   * thread.
   */
  async finish(job: Job): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const ended = once(worker, "exit");
    await this.run(job);
    await ended;
  }

  /**
   * Ends the thread now. What still waits is rejected. Resolves when the thread has ended, or after the
   * limit.
   */
  async abandon(limitMs: number): Promise<void> {
    const worker = this.#worker ?? this.#ending;
    if (worker === null) return;
    this.#lose(worker, "the store is closed");
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, limitMs);
    await Promise.race([worker.terminate(), limit.promise]);
    clearTimeout(timer);
  }

  #start(): Worker {
    const { role, workerUrl, workerData } = this.#options;
    const worker = new Worker(workerUrl, { name: `svc-store-${role}`, workerData: workerData() });
    let reason = "it exited";
    worker.on("message", (reply: JobReply) => this.#receive(worker, reply));
    worker.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on("exit", () => {
      if (this.#ending === worker) this.#ending = null;
      this.#lose(worker, reason);
    });
    return worker;
  }

  #receive(worker: Worker, reply: JobReply): void {
    if (this.#worker !== worker) return;
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    this.#replies += 1;
    this.#watch();
    if (reply.ok) pending?.resolve(reply.value);
    else pending?.reject(new Error(reply.message));
  }

  #watch(): void {
    const { stallLimitMs } = this.#options;
    clearTimeout(this.#stall);
    if (stallLimitMs === null || this.#pending.size === 0) return;
    const replies = this.#replies;
    this.#stall = setTimeout(() => this.#onStall(replies), stallLimitMs);
  }

  /** A reply may lie there unread: this thread may be the one that was late. */
  #onStall(replies: number): void {
    const worker = this.#worker;
    setImmediate(() => {
      if (worker === null || this.#worker !== worker || this.#replies !== replies) return;
      this.#ending = worker;
      this.#lose(worker, "it is stuck");
      void worker.terminate();
    });
  }

  #lose(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    clearTimeout(this.#stall);
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of lost) pending.reject(this.#lost(reason));
  }

  #lost(reason: string): Error {
    return new Error(`the ${this.#options.role} thread ended: ${reason}`);
  }
}
