/** A clock that only moves forward, in milliseconds; wall-clock jumps do not touch it. */
export interface MonotonicClock {
  nowMs(): number;
}

/** Wall-clock time, for rows and people. A decision only asks whether it agrees with the monotonic clock. */
export interface WallClock {
  now(): Date;
}

/** Structured log; the shape of pino. */
export interface GatewayLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
}
