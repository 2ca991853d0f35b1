/** Why a deadline ended the wait. */
export type DeadlineCause = "expired" | "abandoned";

/** One deadline over everything a decision takes: connecting, headers and body. */
export interface Deadline {
  /**
   * Null while there is time left; read after an answer, because a blocked event loop delivers both at once.
   */
  cause(): DeadlineCause | null;
  /** Must be called when the wait is over: it frees the timer and the caller's signal. */
  cancel(): void;
}

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly monotonicMs: () => number;
  /** The caller's own signal, not aborted yet: aborting it abandons the decision. */
  readonly abandon: AbortSignal | undefined;
  /** Called when the deadline ends. Never called during the start, and never after `cancel`. */
  readonly onEnd: (cause: DeadlineCause) => void;
}

/** Starts the deadline now. It has its own timer, because those of the transport are too coarse below 1 s. */
export function startDeadline(options: DeadlineOptions): Deadline {
  return new RunningDeadline(options);
}

/** A class, so that a question costs no closures: there is one for each. */
class RunningDeadline implements Deadline {
  readonly #options: DeadlineOptions;
  readonly #startedMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbandon: (() => void) | null;

  constructor(options: DeadlineOptions) {
    const { timeoutMs, monotonicMs, abandon, onEnd } = options;
    this.#options = options;
    this.#startedMs = monotonicMs();
    this.#timer = setTimeout(onEnd, timeoutMs, "expired");
    this.#onAbandon = abandon === undefined ? null : () => onEnd("abandoned");
    if (this.#onAbandon !== null) abandon?.addEventListener("abort", this.#onAbandon, { once: true });
  }

  cause(): DeadlineCause | null {
    const { abandon, monotonicMs, timeoutMs } = this.#options;
    if (abandon?.aborted === true) return "abandoned";
    return monotonicMs() - this.#startedMs >= timeoutMs ? "expired" : null;
  }

  cancel(): void {
    clearTimeout(this.#timer);
    if (this.#onAbandon !== null) this.#options.abandon?.removeEventListener("abort", this.#onAbandon);
  }
}
