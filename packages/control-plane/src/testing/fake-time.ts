import { setImmediate as nextTurn } from "node:timers/promises";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Timers } from "@svc/process/timers";

/** Longest delay that Node's timers keep, in milliseconds; beyond it they fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

interface Waiting {
  readonly atMs: number;
  readonly run: () => void;
}

/** Both clocks and the timers of a test. Time stands still until it is moved. */
export class FakeTime implements MonotonicClock, WallClock, Timers {
  /** What the wall clock shows when monotonic time is zero; set it to make the wall clock jump. */
  wallEpochMs = Date.UTC(2026, 0, 1);
  #nowMs = 0;
  #waiting: Waiting[] = [];

  now(): Date {
    return new Date(this.wallEpochMs + this.#nowMs);
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    if (!(delayMs >= 0 && delayMs <= MAX_DELAY_MS)) throw new Error(`no timer takes ${String(delayMs)} ms`);
    const waiting = { atMs: this.#nowMs + delayMs, run };
    this.#waiting.push(waiting);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    };
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#waiting.length;
  }

  /**
   * Moves time forward, fires the timers that are due in their order, and waits until the work that they
   * started has settled.
   */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const next = this.#waiting.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.#nowMs = next.atMs;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.run();
      await nextTurn();
    }
    this.#nowMs = untilMs;
    await nextTurn();
  }
}
