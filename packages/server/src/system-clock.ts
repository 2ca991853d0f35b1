import type { MonotonicClock, WallClock } from "@svc/gateway/ports";

/** The machine's clocks. */
export const systemClock: MonotonicClock & WallClock = {
  nowMs: () => performance.now(),
  now: () => new Date(),
};
