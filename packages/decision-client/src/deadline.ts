/** Why a deadline ended the wait. */
export type DeadlineCause = "expired" | "abandoned";

/** One deadline over everything a decision takes: connecting, headers and body. */
export interface Deadline {
  /** Aborts when the deadline ends, so that whatever still runs lets go of its socket. */
  readonly signal: AbortSignal;
  /** Resolves when the deadline ends; never rejects, and never resolves after `cancel`. */
  readonly ended: Promise<DeadlineCause>;
  /**
   * Null while there is time left; read after an answer, because a blocked event loop delivers both at once.
   */
  cause(): DeadlineCause | null;
  /** Must be called when the answer is in: it frees the timer and the caller's signal. */
  cancel(): void;
}

export interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly monotonicMs: () => number;
  /** The caller's own signal: aborting it abandons the decision. */
  readonly abandon: AbortSignal | undefined;
}

/** Starts the clock now. Uses an own timer: the transport's timers are too coarse below a second. */
export function startDeadline(options: DeadlineOptions): Deadline {
  const { timeoutMs, monotonicMs, abandon } = options;
  const startedMs = monotonicMs();
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<DeadlineCause>();
  let cause: DeadlineCause | null = null;
  const end = (why: DeadlineCause): void => {
    cause ??= why;
    resolve(cause);
    controller.abort();
  };
  const onAbandon = (): void => end("abandoned");
  const timer = setTimeout(() => end("expired"), timeoutMs);
  abandon?.addEventListener("abort", onAbandon, { once: true });
  if (abandon?.aborted === true) onAbandon();
  return {
    signal: controller.signal,
    ended: promise,
    cause: () => cause ?? (monotonicMs() - startedMs >= timeoutMs ? "expired" : null),
    cancel: () => {
      clearTimeout(timer);
      abandon?.removeEventListener("abort", onAbandon);
    },
  };
}
