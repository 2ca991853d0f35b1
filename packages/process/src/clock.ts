/** A clock that only moves forward, in milliseconds. A change of the wall clock does not move it. */
export interface MonotonicClock {
  nowMs(): number;
}

/** The time of day, for rows and for people. Deadlines and leases use the monotonic clock. */
export interface WallClock {
  now(): Date;
}

/** The clocks of this machine. */
export const systemClock: MonotonicClock & WallClock = {
  nowMs: () => performance.now(),
  now: () => new Date(),
};
