import type { MonotonicClock, WallClock } from "../clock.ts";

/** A clock that stands still until it is moved. */
export class FakeClock implements MonotonicClock, WallClock {
  ms = 1_000;
  /** How far the wall clock has moved beside the monotonic one. */
  wallOffsetMs = 0;

  nowMs(): number {
    return this.ms;
  }

  now(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.ms + this.wallOffsetMs);
  }
}
