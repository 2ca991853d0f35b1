import type { Transferable } from "node:worker_threads";
import { LaneTurns } from "./lane-turns.ts";
import type { Logger } from "./logger.ts";
import { type Remote, remote, type ServiceCall } from "./service-call.ts";
import { IDLE_END_MS, WorkerThread, type WorkerThreadOptions } from "./worker-thread.ts";

/** Milliseconds that closing waits for a thread that does not end. */
const CLOSE_LIMIT_MS = 1_000;

export interface ServiceThreadOptions extends Omit<WorkerThreadOptions, "onLost"> {
  /** Why no call is taken any more after `close`, such as `the gateway is closing`. */
  readonly closing: string;
  /** Notes when a thread is lost with calls. */
  readonly log?: Pick<Logger, "error">;
  /**
   * Calls of one lane that run or wait, as count. Further ones are refused, so that a flood does not fill
   * memory. Without it any number may wait.
   */
  readonly maxWaiting?: { readonly most: number; readonly refusal: string };
  /**
   * Lets one call on the thread at a time, so that a thread that is lost takes no other call with it. Lanes
   * take turns. Without it calls are handed over as they come.
   */
  readonly turns?: { readonly laneOf: (method: string) => string };
  /** What a call hands over instead of copying it. */
  readonly transfer?: (call: ServiceCall) => readonly Transferable[];
}

/** Other limits or another worker, for tests. */
export type ThreadOverrides = Partial<
  Pick<ServiceThreadOptions, "url" | "log" | "maxHeapMib" | "stallLimitMs" | "idleEndMs">
>;

/**
 * A service on a thread of its own, as seen from the serving thread. The worker's file hands the service to
 * `serveCalls`. The first call starts the thread, and it ends after IDLE_END_MS without one. A thread that
 * ends or is stuck rejects its calls, and the next call starts another.
 */
export class ServiceThread<Service> {
  /** Each rejects when the method throws, the thread is lost or closed, or too many calls wait. */
  readonly calls: Remote<Service>;
  readonly #options: ServiceThreadOptions;
  readonly #thread: WorkerThread<ServiceCall>;
  readonly #turns = new LaneTurns();
  /** Calls that run or wait, by lane. */
  readonly #waiting = new Map<string, number>();
  #isClosed = false;

  constructor(options: ServiceThreadOptions) {
    this.#options = options;
    this.calls = remote((call) => this.#run(call));
    this.#thread = new WorkerThread({
      idleEndMs: IDLE_END_MS,
      ...options,
      onLost: (reason, calls) => {
        if (!this.#isClosed) options.log?.error({ reason, calls }, `${options.label} was lost`);
      },
    });
  }

  /** Makes a call that gets no reply. It is dropped when no thread runs. */
  tell<Name extends keyof Remote<Service> & string>(
    method: Name,
    ...args: Parameters<Remote<Service>[Name]>
  ): void {
    this.#thread.tell({ method, args });
  }

  /** Ends the thread. Calls without a reply are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.abandon(CLOSE_LIMIT_MS, this.#options.closing);
  }

  async #run(call: ServiceCall): Promise<unknown> {
    const { maxWaiting, turns } = this.#options;
    const lane = turns?.laneOf(call.method) ?? "";
    const waiting = this.#waiting.get(lane) ?? 0;
    if (maxWaiting !== undefined && waiting >= maxWaiting.most) throw new Error(maxWaiting.refusal);
    this.#waiting.set(lane, waiting + 1);
    const run = () => this.#handOver(call);
    try {
      return await (turns === undefined ? run() : this.#turns.run(lane, run));
    } finally {
      this.#waiting.set(lane, (this.#waiting.get(lane) ?? 0) - 1);
    }
  }

  async #handOver(call: ServiceCall): Promise<unknown> {
    const { closing, transfer } = this.#options;
    if (this.#isClosed) throw new Error(closing);
    return this.#thread.run(call, transfer?.(call));
  }
}
