import { setImmediate as nextTurn } from "node:timers/promises";
import type { MonotonicClock } from "@svc/process/clock";

/** Milliseconds that background work may hold the serving thread at a time. */
const SLICE_MS = 0.5;

/** Runs long work on the serving thread in slices. Calls run first between two slices. */
export class TimeSlices {
  readonly #clock: MonotonicClock;
  #endMs = Number.NEGATIVE_INFINITY;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** Runs a generator to its end, with as many steps per slice as fit. Rejects with what a step throws. */
  async run<Result>(steps: Generator<undefined, Result>): Promise<Result> {
    for (;;) {
      if (this.#clock.nowMs() >= this.#endMs) {
        await nextTurn();
        this.#endMs = this.#clock.nowMs() + SLICE_MS;
      }
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }
}
