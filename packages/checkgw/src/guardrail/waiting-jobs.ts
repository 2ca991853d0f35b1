import { SMALL_BODY_BYTES } from "./limits.ts";
import { sharedClockMs, type WorkerOrder } from "./worker-protocol.ts";

export type JudgeOrder = Extract<WorkerOrder, { kind: "judge" }>;

/** What is done with a job when its turn comes. */
export interface Turns {
  /** Takes a core for as long as the body is read. */
  readonly judge: (order: JudgeOrder) => void;
  /** Its time was over before its turn came. */
  readonly giveUp: (order: JudgeOrder) => void;
  /** Milliseconds that a large body must have left to be begun: one that is read past its end blocks all. */
  readonly roomMs: number;
}

/**
 * The order in which a thread takes its jobs. Small bodies are judged as they come. Larger ones wait for one
 * another, and after each the thread is left to others for as long as that one took: a caller that
 * sends bodies which take long to read gets half of the thread, and all others share the other half.
 */
export class WaitingJobs {
  readonly #turns: Turns;
  /** Each with the timer that ends its waiting. */
  readonly #waiting = new Map<JudgeOrder, NodeJS.Timeout>();
  #isTurning = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  add(order: JudgeOrder): void {
    const remainingMs = order.deadlineMs - sharedClockMs();
    // The caller has been answered already: a question now would only be charged.
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
