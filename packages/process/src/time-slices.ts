import { setImmediate as nextTurn } from "node:timers/promises";
import type { MonotonicClock } from "./clock.ts";

/** Runs long work on the serving thread in slices. Calls run first between two slices. */
export class TimeSlices {
  readonly #clock: MonotonicClock;
  readonly #sliceMs: number;
  #endMs = Number.NEGATIVE_INFINITY;

  /** @param sliceMs milliseconds that the work may hold the serving thread at a time */
  constructor(clock: MonotonicClock, sliceMs: number) {
    this.#clock = clock;
    this.#sliceMs = sliceMs;
  }

  /** Runs a generator to its end, with as many steps per slice as fit. Rejects with what a step throws. */
  async run<Result>(steps: Generator<undefined, Result>): Promise<Result> {
    for (;;) {
      await this.turn();
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /** Call it before each step. Resolves at once while the slice lasts, and then with the next slice. */
  async turn(): Promise<void> {
    if (this.#clock.nowMs() < this.#endMs) return;
    await nextTurn();
    this.#endMs = this.#clock.nowMs() + this.#sliceMs;
  }
}
