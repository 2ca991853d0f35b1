import type { Budget } from "@svc/process/token-buckets";

/** Connections of one listener at once, as counts. */
export interface ConnectionCounts {
  /** Such as have brought a valid key; at an adapter, a whole request. */
  readonly maxProven: number;
  /** All others. Beyond it the oldest is closed. */
  readonly maxUnproven: number;
  /** The others of one address. Beyond it its oldest is closed. */
  readonly maxUnprovenPerAddress: number;
}

/**
 * Connections of svc-server. Bounds memory: one takes 15 to 30 KiB. At 10,000 new connections a second a
 * client has 800 ms to send its request. A client may open a pool of 4,000 before it sends the first one.
 */
export const SERVER_CONNECTIONS: ConnectionCounts = {
  maxProven: 12_000,
  maxUnproven: 8_000,
  maxUnprovenPerAddress: 4_000,
};

/**
 * Connections of an adapter: all of them, and the unfinished bodies, fit into the memory that the chart gives
 * to an adapter.
 */
export const ADAPTER_CONNECTIONS: ConnectionCounts = {
  maxProven: 6_000,
  maxUnproven: 4_000,
  maxUnprovenPerAddress: 2_000,
};

/**
 * Accepted connections of one address, as counts at once and a second. A connection that is proven gives its
 * token back, so these are connections that bring nothing: health checks need a few a second.
 */
export const UNPROVEN_ACCEPTS: Budget = { burst: 4_000, perSecond: 500 };
