import { once } from "node:events";
import type { Transferable, Worker } from "node:worker_threads";
import { startWorker, type WorkerOptions } from "./start-worker.ts";
import { within } from "./within.ts";

/** The id of a job that gets no reply. */
export const NO_REPLY = 0;

/** Milliseconds without a job after which a thread that can start again at any moment ends. */
export const IDLE_END_MS = 90_000;

/** One job of the serving thread for a worker thread. */
export interface NumberedJob<Job> {
  readonly id: number;
  readonly job: Job;
}

export type JobReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };

/** The module of the thread serves its jobs with `runJobs`. */
export interface WorkerThreadOptions extends Omit<WorkerOptions, "workerData"> {
  /** In errors, such as `the writer thread`. */
  readonly label: string;
  /** Called at each start of the thread. */
  readonly workerData?: () => unknown;
  /**
   * Milliseconds without any reply, while jobs wait, after which the thread counts as stuck. Null: it may
   * take as long as it likes.
   */
  readonly stallLimitMs: number | null;
  /**
   * Milliseconds without a job after which the thread is ended, to give its memory back. The next job starts
   * another, which knows nothing of the jobs before. Without it the thread stays.
   */
  readonly idleEndMs?: number;
  /** Called when the thread ends while jobs wait. */
  readonly onLost?: (reason: string, jobs: number) => void;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * A worker thread as seen from the serving thread. Every job gets one reply. A thread that ends is replaced
 * at the next job, and a stuck thread is ended. The jobs of either that have no reply yet are rejected at
 * once. While a stuck thread has not ended, jobs are rejected, so at most one thread works. One that was idle
 * may still be ending beside it.
 */
export class WorkerThread<Job> {
  readonly #options: WorkerThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #ending: Worker | null = null;
  #stall: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Resolves when the threads have ended that were idle. */
  #idleEnded: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  #replies = 0;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /** How many jobs wait for their reply. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Starts the thread, so that the first job does not wait for it. */
  start(): void {
    if (this.#ending !== null || this.#worker !== null) return;
    this.#worker = this.#startWorker();
    this.#watchIdle();
  }

  /** @param transfer what the job hands over instead of copying it */
  run(job: Job, transfer: readonly Transferable[] = []): Promise<unknown> {
    if (this.#ending !== null) return Promise.reject(this.#lost("it is stuck and has not ended yet"));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#lastId += 1;
    const request: NumberedJob<Job> = { id: this.#lastId, job };
    this.#pending.set(request.id, { resolve, reject });
    this.start();
    this.#worker?.postMessage(request, transfer);
    if (this.#pending.size === 1) this.#watch();
    clearTimeout(this.#idle);
    return promise;
  }

  /** Hands over a job that gets no reply. It is dropped when no thread runs. */
  tell(job: Job): void {
    this.#worker?.postMessage({ id: NO_REPLY, job } satisfies NumberedJob<Job>);
  }

  /**
   * Runs a last job, after which the thread ends by itself, and waits for the end. Does nothing when
   * no thread runs.
   */
  async finish(job: Job): Promise<void> {
    const worker = this.#worker;
    if (worker !== null) {
      const ended = once(worker, "exit");
      await this.run(job);
      await ended;
    }
    await this.#idleEnded;
  }

  /**
   * Ends the thread now, and rejects the jobs that wait. Resolves when the thread has ended, or
   * after `limitMs` milliseconds.
   */
  async abandon(limitMs: number, reason: string): Promise<void> {
    const worker = this.#worker ?? this.#ending;
    if (worker !== null) this.#lose(worker, reason);
    await within(limitMs, Promise.all([worker?.terminate(), this.#idleEnded]));
  }

  #startWorker(): Worker {
    const { workerData, ...options } = this.#options;
    const worker: Worker = startWorker<JobReply>(
      { ...options, workerData: workerData?.() },
      {
        onMessage: (reply) => this.#receive(worker, reply),
        onEnd: (reason) => {
          if (this.#ending === worker) this.#ending = null;
          this.#lose(worker, reason);
        },
      },
    );
    return worker;
  }

  #receive(worker: Worker, reply: JobReply): void {
    if (this.#worker !== worker) return;
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    this.#replies += 1;
    this.#watch();
    if (this.#pending.size === 0) this.#watchIdle();
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

  #watchIdle(): void {
    const { idleEndMs } = this.#options;
    if (idleEndMs === undefined) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#onIdle(), idleEndMs);
    this.#idle.unref();
  }

  #onIdle(): void {
    const worker = this.#worker;
    if (worker === null || this.#pending.size > 0) return;
    // From now on a job starts another thread.
    this.#worker = null;
    this.#idleEnded = Promise.all([this.#idleEnded, worker.terminate()]);
  }

  /** A reply may have arrived unread, because this thread itself may have been late. */
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
    clearTimeout(this.#idle);
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    if (lost.length > 0) this.#options.onLost?.(reason, lost.length);
    for (const pending of lost) pending.reject(this.#lost(reason));
  }

  #lost(reason: string): Error {
    return new Error(`${this.#options.label} ended: ${reason}`);
  }
}
