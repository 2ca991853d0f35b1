import { MAX_BODY_BYTES } from "@svc/text/limits";

/** Limits of admission. Each is a named refusal: 429 for a share of one caller or agent, else 503. */

/**
 * Largest body of a small call, in bytes. The serving thread decides small calls: even a hostile body of this
 * size takes only some milliseconds. A larger body goes to the thread for large calls.
 */
export const SMALL_BODY_BYTES = 16 * 1024;

/**
 * Bytes counted for a call beside its body: the objects of the request, the call and its row. They count so
 * that the same limit also bounds a flood of tiny calls.
 */
export const CALL_OVERHEAD_BYTES = 1024;

/** Bytes of small calls in flight: 8 MiB. Parsed, the worst bodies take 50 times as much. */
export const SMALL_CALLS_BYTES = 8 * 1024 * 1024;

/** Bytes of large calls in flight: 32 MiB, some 120 of the largest. They are kept unparsed. */
export const LARGE_CALLS_BYTES = 32 * 1024 * 1024;

/** Share of each budget that one API key may hold: three quarters, so that no key locks the others out. */
export const CALLER_SHARE = 3 / 4;

/** Share of the bytes of small calls that one agent may hold: half, some 3,000 ordinary calls. */
export const SMALL_AGENT_SHARE = 1 / 2;

/**
 * Share of the bytes of large calls that one agent may hold: a quarter, some 30 calls that wait for
 * about two seconds.
 */
export const LARGE_AGENT_SHARE = 1 / 4;

/**
 * Large calls in progress at once, as count. One is on the thread; the others wait until their
 * rows are committed.
 */
export const LARGE_CALLS_AT_ONCE = 4;

/** Large calls of one agent in progress at once, as count. Calls of one session wait for each other. */
export const LARGE_CALLS_AT_ONCE_PER_AGENT = 2;

/** Milliseconds that a call waits for its turn. Less than the default decision timeout of adapters. */
export const TURN_WAIT_MS = 3_000;

/**
 * Milliseconds of one round of the event loop after which small calls wait for the next round. Ordinary calls
 * take a fraction of a millisecond, so only costly ones reach it. A kill switch takes some ten rounds.
 */
export const SLICE_MS = 4;

/** Largest outcome report, in bytes: its members are all short. */
export const MAX_OUTCOME_BYTES = 4 * 1024;

/** Bytes that a body of unknown length counts until it has arrived. */
export const UNKNOWN_BODY_BYTES = MAX_BODY_BYTES;
