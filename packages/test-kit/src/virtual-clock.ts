import type { MonotonicClock, WallClock } from "@svc/process/clock";
import { KitRefusal } from "./kit-refusal.ts";

/** A clock that stands still until a test advances it. */
export class VirtualClock implements MonotonicClock, WallClock {
  #timeMs: number;

  /** @param startMs epoch milliseconds */
  constructor(startMs: number) {
    if (!isTime(startMs)) throw new KitRefusal("now: expected a time from 1970 to 9999");
    this.#timeMs = startMs;
  }

  nowMs(): number {
    return this.#timeMs;
  }

  now(): Date {
    return new Date(this.#timeMs);
  }

  advance(durationMs: number): void {
    const next = this.#timeMs + durationMs;
    if (!(durationMs >= 0) || !isTime(next))
      throw new KitRefusal("advance: expected a duration of at least 0 that ends before the year 10000");
    this.#timeMs = next;
  }
}

const LAST_MS = Date.UTC(9999, 11, 31);

function isTime(timeMs: number): boolean {
  return Number.isFinite(timeMs) && timeMs >= 0 && timeMs <= LAST_MS;
}
