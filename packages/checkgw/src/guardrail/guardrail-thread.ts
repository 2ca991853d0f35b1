import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startWorker } from "@svc/process/start-worker";
import { threadUrl } from "@svc/process/thread-url";
import { IDLE_END_MS } from "@svc/process/worker-thread";
import type { GuardrailAnswer, GuardrailJob } from "./judge-guardrail.ts";
import { WORKER_HEAP_MIB, WORKER_LATE_MS, WORKER_START_MS } from "./limits.ts";
import { sharedClockMs, type WorkerNews, type WorkerOrder, type WorkerSettings } from "./worker-protocol.ts";

const WORKER_URL = threadUrl("guardrail-worker", import.meta.url);

export interface GuardrailThreadOptions {
  readonly settings: WorkerSettings;
  readonly onFault: (fault: Extract<WorkerNews, { kind: "fault" }>) => void;
  /** Called with the reason when a worker is abandoned. */
  readonly onLost: (reason: string) => void;
  /** Another worker or a shorter limit, for tests. */
  readonly workerUrl?: URL;
  readonly idleEndMs?: number;
}

interface Pending {
  readonly resolve: (answer: GuardrailAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly deadlineMs: number;
  timer: NodeJS.Timeout;
}

/** One worker. Another replaces it when it is abandoned. */
interface Running {
  readonly worker: Worker;
  readonly startTimer: NodeJS.Timeout;
  /** When the worker reported that it serves; null until then. */
  readyMs: number | null;
}

/**
 * The judging thread as seen from the serving one. The first job starts it, and IDLE_END_MS without a job
 * end it. A worker that is lost, or that does not answer in time, is replaced, and its pending jobs are
 * rejected at once. It is not a `WorkerThread`: its jobs run beside each other, each has a deadline of its
 * own, and a lost worker must be replaced before the next request comes.
 */
export class GuardrailThread {
  readonly #options: GuardrailThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #running: Running | null = null;
  #lastId = 0;
  #closed = false;
  #idle: NodeJS.Timeout | undefined;
  /** Resolves when the workers have ended that were idle. */
  #idleEnded: Promise<unknown> = Promise.resolve();

  constructor(options: GuardrailThreadOptions) {
    this.#options = options;
  }

  /** @throws when the worker gave no answer in time, or was lost before it did. */
  judge(job: GuardrailJob, remainingMs: number): Promise<GuardrailAnswer> {
    if (this.#closed) return Promise.reject(new Error("the adapter is closing"));
    this.#running ??= this.#start();
    clearTimeout(this.#idle);
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<GuardrailAnswer>();
    const deadlineMs = sharedClockMs() + remainingMs;
    const timer = setTimeout(() => this.#onLate(id), remainingMs + WORKER_LATE_MS);
    this.#pending.set(id, { resolve, reject, deadlineMs, timer });
    const order: WorkerOrder = { kind: "judge", id, job, deadlineMs };
    this.#running.worker.postMessage(order, [job.body.buffer as ArrayBuffer]);
    return promise;
  }

  /** Ends the thread. What is still pending is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await Promise.all([this.#idleEnded, this.#running === null ? null : end(this.#running.worker)]);
  }

  #watchIdle(): void {
    clearTimeout(this.#idle);
    if (this.#running === null || this.#pending.size > 0) return;
    this.#idle = setTimeout(() => this.#onIdle(), this.#options.idleEndMs ?? IDLE_END_MS);
    this.#idle.unref();
  }

  /** The worker first reports what is still to be reported. From now on a job starts another. */
  #onIdle(): void {
    const running = this.#running;
    if (running === null || this.#pending.size > 0 || this.#closed) return;
    clearTimeout(running.startTimer);
    this.#running = null;
    this.#idleEnded = Promise.all([this.#idleEnded, end(running.worker)]);
  }

  #start(): Running {
    const { settings, workerUrl = WORKER_URL } = this.#options;
    const worker = startWorker<WorkerNews>(
      { name: "svc-guardrail", url: workerUrl, workerData: settings, maxHeapMib: WORKER_HEAP_MIB },
      {
        onMessage: (news) => this.#receive(running, news),
        onEnd: (reason) => this.#giveUp(running, reason),
      },
    );
    const startTimer = setTimeout(() => this.#giveUp(running, "it does not start"), WORKER_START_MS);
    const running: Running = { worker, startTimer, readyMs: null };
    return running;
  }

  #receive(running: Running, news: WorkerNews): void {
    switch (news.kind) {
      case "ready":
        clearTimeout(running.startTimer);
        running.readyMs = sharedClockMs();
        return;
      case "fault":
        this.#options.onFault(news);
        return;
      case "late":
        this.#take(news.id)?.reject(new Error("the judging thread had no time left for this request"));
        return;
      case "answer":
        this.#take(news.id)?.resolve(news.answer);
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    this.#watchIdle();
    return pending;
  }

  /**
   * Called when nobody waits for the answer any more. A worker that has started and still has not
   * answered is stuck.
   */
  #onLate(id: number): void {
    const pending = this.#pending.get(id);
    const running = this.#running;
    if (pending === undefined || running === null) return;
    if (running.readyMs === null) {
      this.#take(id)?.reject(new Error("the judging thread was still starting"));
      return;
    }
    const lateMs = sharedClockMs() - Math.max(pending.deadlineMs, running.readyMs);
    if (lateMs >= WORKER_LATE_MS) this.#giveUpUnlessAnswered(running, id);
    else pending.timer = setTimeout(() => this.#onLate(id), Math.ceil(WORKER_LATE_MS - lateMs));
  }

  /** The answer may have arrived unread, because this thread itself may have been late. */
  #giveUpUnlessAnswered(running: Running, id: number): void {
    setImmediate(() => {
      if (this.#pending.has(id)) this.#giveUp(running, "it is stuck");
    });
  }

  /** Does nothing for a worker that is already abandoned. */
  #giveUp(running: Running, reason: string): void {
    clearTimeout(running.startTimer);
    if (this.#running !== running) return;
    const owed = [...this.#pending.keys()];
    running.worker.removeAllListeners("message");
    void running.worker.terminate();
    this.#running = null;
    if (!this.#closed) {
      this.#options.onLost(reason);
      // A worker that never served would be restarted endlessly. The next request tries again instead.
      if (running.readyMs !== null) this.#running = this.#start();
    }
    for (const id of owed) this.#take(id)?.reject(new Error(`the judging thread was lost: ${reason}`));
    this.#watchIdle();
  }
}

/** Lets a worker report what it still has to report, and waits for its end. */
async function end(worker: Worker): Promise<void> {
  const ended = once(worker, "exit");
  const order: WorkerOrder = { kind: "close" };
  worker.postMessage(order);
  const stuck = setTimeout(() => void worker.terminate(), WORKER_LATE_MS);
  await ended;
  clearTimeout(stuck);
}
