import type { MonotonicClock } from "@svc/process/clock";

/** Milliseconds over which decisions are counted. */
const WINDOW_MS = 5_000;

/** How many calls this process decides in a second, for people. */
export class DecisionRate {
  readonly #clock: MonotonicClock;
  #sinceMs: number;
  #count = 0;
  #last = 0;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
    this.#sinceMs = clock.nowMs();
  }

  note(): void {
    this.#count += 1;
  }

  /** Of the last window that is over. */
  get perSecond(): number {
    const passedMs = this.#clock.nowMs() - this.#sinceMs;
    if (passedMs >= WINDOW_MS) {
      this.#last = Math.round((this.#count * 10_000) / passedMs) / 10;
      this.#count = 0;
      this.#sinceMs += passedMs;
    }
    return this.#last;
  }
}
