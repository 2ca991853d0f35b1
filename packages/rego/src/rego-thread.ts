import { setImmediate } from "node:timers";
import { Worker } from "node:worker_threads";
import { threadUrl } from "@svc/process/thread-url";
import { START_LIMIT_MS } from "./rego-limits.ts";
import type { ReactorAnswer } from "./thread/reactor.ts";
import type { RegoJob, RegoThreadData, RegoThreadMessage } from "./thread/thread-protocol.ts";

/** MiB of the JavaScript heap of a thread. The memory of OPA is beside it and has a maximum of its own. */
const MAX_HEAP_MIB = 64;

/** How a job ended. After `late` and `ended` the thread is gone. */
export type RegoOutcome =
  | ReactorAnswer
  | { readonly kind: "late" }
  | { readonly kind: "ended"; readonly text: string };

type Waiter = (outcome: RegoOutcome | { readonly kind: "ready" }) => void;

/** One worker thread with one instance of OPA. It does one job at a time. */
export class RegoThread {
  readonly #worker: Worker;
  #waiter: Waiter | null = null;
  #timer: NodeJS.Timeout | undefined;
  #end: string | null = null;
  /** Resolves when the thread is gone. */
  readonly ended: Promise<void>;

  private constructor(module: WebAssembly.Module) {
    const workerData: RegoThreadData = { module };
    this.#worker = new Worker(threadUrl("rego-worker", import.meta.url), {
      name: "svc-rego",
      workerData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#worker.on("message", (message: RegoThreadMessage) => this.#hear(message));
    this.#worker.on("messageerror", () => this.#fail("its message can not be read"));
    this.#worker.on("error", (error) => this.#fail(error instanceof Error ? error.message : String(error)));
    this.#worker.on("exit", () => {
      this.#fail("it exited");
      resolve();
    });
  }

  /** Ready when it resolves. @throws when it can not start */
  static async start(module: WebAssembly.Module): Promise<RegoThread> {
    const thread = new RegoThread(module);
    const outcome = await thread.#wait(START_LIMIT_MS);
    if (outcome.kind !== "ready") {
      thread.end("it did not start");
      throw new Error(outcome.kind === "ended" ? outcome.text : "the thread did not start in time");
    }
    // Only a job holds the process, by its timer.
    thread.#worker.unref();
    return thread;
  }

  /** False: it never takes a job again. */
  get isAlive(): boolean {
    return this.#end === null;
  }

  /** Whether a job runs. */
  get isBusy(): boolean {
    return this.#waiter !== null;
  }

  /** Never rejects. A job that is late ends the thread. */
  async run(job: RegoJob, limitMs: number): Promise<RegoOutcome> {
    if (this.#end !== null) return { kind: "ended", text: this.#end };
    this.#worker.postMessage(job);
    const outcome = await this.#wait(limitMs);
    return outcome.kind === "ready" ? { kind: "ended", text: "it answered out of turn" } : outcome;
  }

  /** What runs is answered as ended. */
  end(reason: string): void {
    this.#fail(reason);
  }

  #wait(limitMs: number): Promise<RegoOutcome | { readonly kind: "ready" }> {
    const { promise, resolve } = Promise.withResolvers<RegoOutcome | { readonly kind: "ready" }>();
    this.#waiter = resolve;
    const onTime = (): void => {
      // An answer that came in time may still wait behind this timer.
      setImmediate(() => {
        if (this.#waiter !== resolve) return;
        this.#settle({ kind: "late" });
        this.#fail("it was late");
      });
    };
    this.#timer = setTimeout(onTime, limitMs);
    return promise;
  }

  #hear(message: RegoThreadMessage): void {
    if (message.kind === "ended") this.#fail(message.text);
    else this.#settle(message);
  }

  #settle(outcome: RegoOutcome | { readonly kind: "ready" }): void {
    const waiter = this.#waiter;
    this.#waiter = null;
    clearTimeout(this.#timer);
    waiter?.(outcome);
  }

  #fail(reason: string): void {
    if (this.#end !== null) return;
    this.#end = reason;
    this.#settle({ kind: "ended", text: reason });
    void this.#worker.terminate();
  }
}
