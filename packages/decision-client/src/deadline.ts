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
export function startDeadline({ timeoutMs, monotonicMs, abandon, onEnd }: DeadlineOptions): Deadline {
  const startedMs = monotonicMs();
  const onAbandon = (): void => onEnd("abandoned");
  const timer = setTimeout(onEnd, timeoutMs, "expired");
  abandon?.addEventListener("abort", onAbandon, { once: true });
  return {
    cause: () => {
      if (abandon?.aborted === true) return "abandoned";
      return monotonicMs() - startedMs >= timeoutMs ? "expired" : null;
    },
    cancel: () => {
      clearTimeout(timer);
      abandon?.removeEventListener("abort", onAbandon);
    },
  };
}
