import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { GuardrailAnswer, GuardrailJob } from "./judge-guardrail.ts";
import { WORKER_HEAP_MIB, WORKER_LATE_MS } from "./limits.ts";
import type { WorkerNews, WorkerOrder, WorkerSettings } from "./worker-protocol.ts";

/** Beside this file as a source, beside the bundle when bundled. */
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./guardrail-worker.ts" : "./guardrail-worker.js",
  import.meta.url,
);

export interface GuardrailThreadOptions {
  readonly settings: WorkerSettings;
  readonly onFault: (fault: Extract<WorkerNews, { kind: "fault" }>) => void;
  /** Told why a worker was given up. */
  readonly onLost: (reason: string) => void;
  /** Another worker, for tests. */
  readonly workerUrl?: URL;
}

interface Pending {
  readonly resolve: (answer: GuardrailAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly late: NodeJS.Timeout;
}

/**
 * The judging thread as seen from the serving one. A worker that ends, or owes an answer for too long, is
 * replaced; everything that it still owed is rejected at once.
 */
export class GuardrailThread {
  readonly #options: GuardrailThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;
  #closed = false;
  /** Whether the present worker has ever said anything. */
  #proven = false;

  constructor(options: GuardrailThreadOptions) {
    this.#options = options;
    // Its first request must not wait for it to start.
    this.#worker = this.#start();
  }

  /** @throws when the worker was lost before it answered. */
  judge(job: GuardrailJob, remainingMs: number): Promise<GuardrailAnswer> {
    if (this.#closed) return Promise.reject(new Error("the adapter is closing"));
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<GuardrailAnswer>();
    const late = setTimeout(() => this.#giveUp(worker, "it is stuck"), remainingMs + WORKER_LATE_MS);
    this.#pending.set(id, { resolve, reject, late });
    const order: WorkerOrder = { kind: "judge", id, job, remainingMs };
    worker.postMessage(order, [job.body.buffer as ArrayBuffer]);
    return promise;
  }

  /** Ends the thread. What is still pending is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === null) return;
    const ended = once(worker, "exit");
    const order: WorkerOrder = { kind: "close" };
    worker.postMessage(order);
    const stuck = setTimeout(() => void worker.terminate(), WORKER_LATE_MS);
    await ended;
    clearTimeout(stuck);
  }

  #start(): Worker {
    const { settings, workerUrl = WORKER_URL } = this.#options;
    this.#proven = false;
    const worker = new Worker(workerUrl, {
      name: "svc-guardrail",
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MIB },
    });
    let reason = "it exited";
    worker.on("message", (news: WorkerNews) => this.#receive(news));
    worker.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on("exit", () => this.#giveUp(worker, reason));
    return worker;
  }

  #receive(news: WorkerNews): void {
    this.#proven = true;
    if (news.kind === "fault") {
      this.#options.onFault(news);
      return;
    }
    const pending = this.#pending.get(news.id);
    if (pending === undefined) return;
    this.#pending.delete(news.id);
    clearTimeout(pending.late);
    pending.resolve(news.answer);
  }

  /** A worker that was given up already says nothing more, and nothing is owed by it. */
  #giveUp(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const owed = [...this.#pending.values()];
    this.#pending.clear();
    worker.removeAllListeners("message");
    void worker.terminate();
    if (!this.#closed) {
      this.#options.onLost(reason);
      // One that never worked would be started without end; the next request tries again.
      if (this.#proven) this.#worker = this.#start();
    }
    for (const { reject, late } of owed) {
      clearTimeout(late);
      reject(new Error(`the judging thread was lost: ${reason}`));
    }
  }
}
