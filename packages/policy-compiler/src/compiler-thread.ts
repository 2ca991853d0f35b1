import { Worker } from "node:worker_threads";
import type { JsonObject } from "@svc/contract/json-value";
import type { DocumentCheck, DocumentText } from "@svc/engine/check-document";
import type { PreparedDocument, StoredDocument } from "@svc/engine/prepare-document";
import type { Logger } from "@svc/process/logger";
import type { CompilerOrder, CompilerReply } from "./compiler-protocol.ts";

/** Beside this file as a source, beside the bundle when bundled. */
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./compiler-worker.ts" : "./compiler-worker.js",
  import.meta.url,
);

/**
 * Milliseconds for one order, the thread's start included. The worst document of 256 KiB takes some 1,300 ms
 * of one core; a thread that is later than this is stuck.
 */
const ORDER_LIMIT_MS = 10_000;

/** MiB of heap for the thread. The worst document takes some 100; past it the thread alone ends. */
const MAX_HEAP_MIB = 384;

/** Most orders that wait, as count: a flood of documents is refused, and does not fill the memory. */
const MAX_WAITING = 32;

export interface CompilerThreadOptions {
  readonly log: Pick<Logger, "error">;
  /** Another worker or a shorter limit, for tests. */
  readonly workerUrl?: URL;
  readonly orderLimitMs?: number;
}

interface Job {
  readonly order: CompilerOrder;
  resolve(reply: CompilerReply): void;
  reject(error: Error): void;
}

/**
 * The thread that reads and validates policy documents, as seen from the one that serves calls. One order is
 * on the thread at a time, so a thread that ends or is stuck takes no other order with it. The next order
 * starts another thread.
 */
export class CompilerThread {
  readonly #options: CompilerThreadOptions;
  readonly #waiting: Job[] = [];
  #current: Job | null = null;
  #limit: NodeJS.Timeout | undefined;
  #worker: Worker | null = null;
  #isClosed = false;

  constructor(options: CompilerThreadOptions) {
    this.#options = options;
  }

  /** Starts the thread, so that the first order does not wait for it. */
  start(): void {
    this.#worker ??= this.#startWorker();
  }

  /** Rejects when the thread was lost or is too busy, which says nothing of the documents. */
  async prepare(documents: readonly StoredDocument[]): Promise<readonly PreparedDocument[]> {
    const reply = await this.#ask({ kind: "prepare", documents });
    if (reply.kind !== "prepared") throw new Error(`the compiler answered ${reply.kind}`);
    return reply.documents;
  }

  /** Rejects when the thread was lost or is too busy, which says nothing of the document. */
  async check(text: DocumentText): Promise<DocumentCheck> {
    const reply = await this.#ask({ kind: "check", text });
    if (reply.kind !== "checked") throw new Error(`the compiler answered ${reply.kind}`);
    if (reply.check.kind !== "valid") return reply.check;
    const { documentText, ...rest } = reply.check;
    return { ...rest, document: JSON.parse(documentText) as JsonObject };
  }

  /** Ends the thread. What has no reply yet is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#lose(worker, "the process is closing");
    for (const job of this.#waiting.splice(0)) job.reject(new Error("the process is closing"));
    await worker?.terminate();
  }

  #ask(order: CompilerOrder): Promise<CompilerReply> {
    if (this.#isClosed) return Promise.reject(new Error("the process is closing"));
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new Error("too many policy documents wait to be read"));
    }
    const { promise, resolve, reject } = Promise.withResolvers<CompilerReply>();
    this.#waiting.push({ order, resolve, reject });
    this.#next();
    return promise;
  }

  #next(): void {
    if (this.#current !== null) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#current = job;
    this.start();
    this.#limit = setTimeout(() => this.#onLate(job), this.#options.orderLimitMs ?? ORDER_LIMIT_MS);
    this.#worker?.postMessage(job.order);
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.workerUrl ?? WORKER_URL, {
      name: "svc-policy-compiler",
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    let reason = "it exited";
    worker.on("message", (reply: CompilerReply) => this.#receive(reply));
    worker.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on("exit", () => this.#lose(worker, reason));
    return worker;
  }

  #receive(reply: CompilerReply): void {
    const job = this.#current;
    this.#current = null;
    clearTimeout(this.#limit);
    if (reply.kind === "failed") job?.reject(new Error(reply.message));
    else job?.resolve(reply);
    this.#next();
  }

  /** The reply may lie there unread: this thread may be the one that was late. */
  #onLate(job: Job): void {
    const worker = this.#worker;
    setImmediate(() => {
      if (this.#current !== job) return;
      this.#lose(worker, "it is stuck");
      void worker?.terminate();
    });
  }

  #lose(worker: Worker | null, reason: string): void {
    if (worker === null || this.#worker !== worker) return;
    this.#worker = null;
    worker.removeAllListeners("message");
    clearTimeout(this.#limit);
    const job = this.#current;
    this.#current = null;
    if (job !== null) {
      if (!this.#isClosed) this.#options.log.error({ reason }, "the policy compiler's thread was lost");
      job.reject(new Error(`the policy compiler's thread was lost: ${reason}`));
    }
    if (!this.#isClosed) this.#next();
  }
}
