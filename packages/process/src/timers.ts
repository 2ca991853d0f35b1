/** Timers as a port, so that a test can move time. */
export interface Timers {
  /** Calls `run` once after about `delayMs` (0 to 2^31 - 1). The returned function cancels the call. */
  after(delayMs: number, run: () => void): () => void;
}

/** The timers of Node. */
export const nodeTimers: Timers = {
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
