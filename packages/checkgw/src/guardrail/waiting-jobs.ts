import { SMALL_BODY_BYTES } from "./limits.ts";
import { sharedClockMs, type WorkerOrder } from "./worker-protocol.ts";

export type JudgeOrder = Extract<WorkerOrder, { kind: "judge" }>;

/** The actions on a job. */
export interface Turns {
  /** Takes a core for as long as the body is read. */
  readonly judge: (order: JudgeOrder) => void;
  /** Called for a job whose time was over before its turn. */
  readonly giveUp: (order: JudgeOrder) => void;
  /**
   * Milliseconds that must remain when the reading of a large body begins. Reading it past the end of its
   * time would block all other jobs.
   */
  readonly roomMs: number;
}

/**
 * The order in which a thread takes its jobs. Small bodies are judged as they come. Larger ones wait for one
 * another, and after each the thread is left to others for as long as that one took: a caller that
 * sends bodies which take long to read gets half of the thread, and all others share the other half.
 */
export class WaitingJobs {
  readonly #turns: Turns;
  /** Each job with the timer that ends its wait. */
  readonly #waiting = new Map<JudgeOrder, NodeJS.Timeout>();
  #isTurning = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  add(order: JudgeOrder): void {
    const remainingMs = order.deadlineMs - sharedClockMs();
    // The caller already has its answer, so a question would only cost it a charge.
    if (remainingMs <= 0) return this.#turns.giveUp(order);
    if (order.job.body.byteLength <= SMALL_BODY_BYTES) return this.#turns.judge(order);
    this.#waiting.set(
      order,
      setTimeout(() => {
        this.#waiting.delete(order);
        this.#turns.giveUp(order);
      }, remainingMs),
    );
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const lastMs = sharedClockMs() + this.#turns.roomMs;
    const next = [...this.#waiting].find(([{ deadlineMs }]) => deadlineMs >= lastMs);
    this.#isTurning = next !== undefined;
    if (next === undefined) return;
    const [order, timer] = next;
    clearTimeout(timer);
    this.#waiting.delete(order);
    const startedMs = sharedClockMs();
    this.#turns.judge(order);
    setTimeout(() => this.#turn(), sharedClockMs() - startedMs);
  }
}
