import { setTimeout as sleep } from "node:timers/promises";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import { type Remote, remote, type ServiceCall } from "@svc/process/service-call";
import type { Timers } from "@svc/process/timers";
import { within } from "@svc/process/within";
import type { WorkerThread } from "@svc/process/worker-thread";
import type { ProjectorService } from "./projector-service.ts";

/** Milliseconds that closing waits for a thread that does not end. */
export const CLOSE_LIMIT_MS = 1_000;

/** Milliseconds before a thread that ended is started again. */
const RESTART_MS = 1_000;

const CLOSED = "the audit index is closed";

export interface IndexWriterParts {
  readonly thread: Pick<WorkerThread<ServiceCall>, "run" | "tell" | "finish" | "abandon">;
  readonly log: Pick<Logger, "warn">;
  readonly timers: Timers;
  /**
   * Milliseconds without a row or an order after which the thread ends, or up to twice as many. Null: it
   * stays, because other processes write rows that this one does not see.
   */
  readonly idleEndMs: number | null;
}

/**
 * The thread that writes the index. It runs from the first row or order until minutes have passed without
 * one, and ends only when the index has every row. A row or an order that comes while it ends starts the next
 * thread as soon as it has ended.
 */
export class IndexWriter {
  /** What the thread does. A call does not make it run for longer. Only while it runs. */
  readonly projector: Remote<ProjectorService>;
  readonly #parts: IndexWriterParts;
  readonly #closing = new AbortController();
  /** Reports the faults of the thread that runs; null: none runs. */
  #watching: Promise<void> | null = null;
  /** Resolves when an idle thread has ended; null: none is ending. */
  #ending: Promise<void> | null = null;
  /** How many rows and orders have come. */
  #wanted = 0;
  #isComplete = false;
  /** Cancels the next look whether anything was wanted; null: none is due. */
  #cancelLook: (() => void) | null = null;

  constructor(parts: IndexWriterParts) {
    this.#parts = parts;
    this.projector = remote((call) => parts.thread.run(call));
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Whether a thread runs that is to stay. */
  get isRunning(): boolean {
    return this.#watching !== null && this.#ending === null;
  }

  /** Whether a thread has ended that had indexed every row, and no row or order has come since. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Rows have come, or an order will: the thread runs for further minutes. */
  start(): void {
    if (this.isClosed) return;
    this.#wanted += 1;
    this.#isComplete = false;
    if (this.#ending !== null) return;
    this.#watching ??= this.#watchFaults();
    if (this.#cancelLook === null) this.#armLook();
  }

  /** A question waits for rows. Dropped when no thread runs. */
  wake(): void {
    this.#parts.thread.tell({ method: "wake", args: [] });
  }

  /** Starts the thread if need be. */
  async order<Reply>(order: (projector: Remote<ProjectorService>) => Promise<Reply>): Promise<Reply> {
    this.start();
    await this.#ending;
    return order(this.projector);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancelLook?.();
    await this.#ending;
    await this.#endThread();
    await this.#watching;
  }

  #armLook(): void {
    const { idleEndMs, timers } = this.#parts;
    if (idleEndMs === null || this.isClosed) return;
    const wanted = this.#wanted;
    this.#cancelLook = timers.after(idleEndMs, () => void this.#look(wanted));
  }

  /** Ends the thread when nothing was wanted since `before`. Never rejects. */
  async #look(before: number): Promise<void> {
    const isIdle = () => this.#wanted === before && !this.isClosed;
    const hasAll = isIdle() && (await this.projector.settle().catch(() => false));
    if (hasAll !== true || !isIdle()) return this.#armLook();
    this.#ending = this.#endThread().then(() => this.#watching ?? undefined);
    await this.#ending;
    this.#ending = null;
    this.#watching = null;
    this.#cancelLook = null;
    // The news of a row may come after the thread that could have indexed it has ended.
    if (this.#wanted === before) this.#isComplete = true;
    else this.start();
  }

  /** Never rejects. */
  async #endThread(): Promise<void> {
    const { thread } = this.#parts;
    await within(
      CLOSE_LIMIT_MS,
      thread.finish({ method: "close", args: [] }).catch(() => undefined),
    );
    await thread.abandon(CLOSE_LIMIT_MS, CLOSED);
  }

  /**
   * Logs the faults of the thread, which tries again every second, and starts it again when it has ended
   * without being asked to.
   */
  async #watchFaults(): Promise<void> {
    const { log } = this.#parts;
    const warn = createLimitedWarnings(log);
    for (;;) {
      try {
        const cause = await this.projector.nextFault();
        warn("fault", { cause }, "the audit index was not brought up to date; lists say so until it is");
      } catch (error) {
        if (this.isClosed || this.#ending !== null) return;
        log.warn({ err: error }, "the thread of the audit index ended and is started again");
        await sleep(RESTART_MS);
      }
      if (this.isClosed || this.#ending !== null) return;
    }
  }
}
