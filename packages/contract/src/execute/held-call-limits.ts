/** Limits of calls that are held while their agents are suspended. */

/** Most held calls of one agent, as count: a suspended agent that goes on asking gains nothing. */
export const MAX_HELD_CALLS_PER_AGENT = 100;

/** Time in milliseconds for which a call is held: a day, so that a night passes. Afterwards it expires. */
export const HELD_CALL_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/**
 * Longest time in seconds that `Prefer: wait` holds a call of a suspended agent: below the idle time-out of
 * common proxies, and short enough for a client that keeps its own call open.
 */
export const MAX_HELD_WAIT_SECONDS = 30;

/** Calls that wait for the recovery of agents at once in one process, as count. Each is a connection. */
export const MAX_HELD_WAITERS = 1_000;
