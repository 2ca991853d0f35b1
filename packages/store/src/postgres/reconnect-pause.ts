/** Milliseconds before the second attempt to connect; doubled with each failure. */
const FIRST_PAUSE_MS = 50;

/** Longest pause in milliseconds: after an outage, a call waits for no connection longer than this. */
const LONGEST_PAUSE_MS = 1_000;

/**
 * Keeps callers that fail at once from asking for a connection over and over. During a pause, a caller gets
 * the fault of the last attempt.
 */
export class ReconnectPause {
  readonly #nowMs: () => number;
  #fault: Error | null = null;
  #untilMs = 0;
  #failures = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The fault of the last attempt while the pause after it lasts; else null. */
  get fault(): Error | null {
    return this.#nowMs() < this.#untilMs ? this.#fault : null;
  }

  /** An attempt has failed. */
  begin(fault: Error): void {
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#fault = fault;
    this.#untilMs = this.#nowMs() + pauseMs;
    this.#failures += 1;
  }

  reset(): void {
    this.#fault = null;
    this.#failures = 0;
  }
}
