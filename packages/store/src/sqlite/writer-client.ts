import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { AcknowledgedHead } from "../head-guard.ts";
import type { WriterJob, WriterReply, WriterRequest, WriterSettings } from "./writer-protocol.ts";

/** Beside this file as a source, beside the bundle when bundled. */
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./writer-worker.ts" : "./writer-worker.js",
  import.meta.url,
);

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The writer's thread as seen from the serving one. A thread that dies is replaced at the next job. */
export class WriterClient {
  readonly #settings: Omit<WriterSettings, "acknowledged">;
  #acknowledged: AcknowledgedHead | null = null;
  #worker: Worker | null = null;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #closing: Promise<void> | null = null;

  constructor(settings: Omit<WriterSettings, "acknowledged">) {
    this.#settings = settings;
  }

  run(job: WriterJob): Promise<unknown> {
    if (this.#closing !== null) return Promise.reject(new Error("the store is closed"));
    return this.#post(job);
  }

  /** Finishes what was handed over, then ends the thread. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const ended = once(worker, "exit");
    await this.#post({ kind: "close" });
    await ended;
  }

  #post(job: WriterJob): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#lastId += 1;
    const request: WriterRequest = { id: this.#lastId, job };
    this.#pending.set(request.id, { resolve, reject });
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(WORKER_URL, {
      name: "svc-store-writer",
      workerData: { ...this.#settings, acknowledged: this.#acknowledged } satisfies WriterSettings,
    });
    let reason = "it exited";
    worker.on("message", (reply: WriterReply) => this.#receive(reply));
    worker.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on("exit", () => this.#lose(worker, reason));
    return worker;
  }

  #receive(reply: WriterReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.ok) {
      this.#acknowledged = reply.head;
      pending?.resolve(reply.value);
    } else {
      pending?.reject(new Error(reply.message));
    }
  }

  #lose(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of lost) pending.reject(new Error(`the writer thread ended: ${reason}`));
  }
}
