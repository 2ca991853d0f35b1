import { MAX_BODY_BYTES } from "@svc/contract/limits";

/** Limits of admission. Each is a named refusal: 429 for a share of one caller or agent, else 503. */

/**
 * Bytes of a body up to which a call is small: it is decided in the serving thread, where even a hostile body
 * of this size takes at most some milliseconds. A larger one goes to the thread of large calls.
 */
export const SMALL_BODY_BYTES = 16 * 1024;

/**
 * Bytes counted for a call beside its body: the objects of the request, the call and its row. So a flood of
 * tiny calls is bounded by the same figure.
 */
export const CALL_OVERHEAD_BYTES = 1024;

/** Bytes of small calls in flight: 8 MiB. Parsed, the worst bodies take 50 times as much. */
export const SMALL_CALLS_BYTES = 8 * 1024 * 1024;

/** Bytes of large calls in flight: 32 MiB, some 120 of the largest. They are kept unparsed. */
export const LARGE_CALLS_BYTES = 32 * 1024 * 1024;

/** What one API key may hold of each: three quarters, so that no key keeps the others out. */
export const CALLER_SHARE = 3 / 4;

/** What one agent may hold of the small calls' bytes: half, some 3,000 ordinary calls. */
export const SMALL_AGENT_SHARE = 1 / 2;

/** What one agent may hold of the large calls' bytes: a quarter, some 30 that wait for about two seconds. */
export const LARGE_AGENT_SHARE = 1 / 4;

/** Large calls that are worked on at once, as count: one is on the thread, the others wait for their rows. */
export const LARGE_CALLS_AT_ONCE = 4;

/** Of these, how many may be one agent's, as count: calls of one session wait for each other. */
export const LARGE_CALLS_AT_ONCE_PER_AGENT = 2;

/** Milliseconds that a call waits for its turn: below the default decision time-out of adapters. */
export const TURN_WAIT_MS = 3_000;

/**
 * Milliseconds of one round of the event loop after which small calls wait for the next round. Ordinary calls
 * take a fraction of a millisecond, so only costly ones reach it. A kill switch takes some ten rounds.
 */
export const SLICE_MS = 4;

/** Bytes of an outcome report: its members are all short. */
export const MAX_OUTCOME_BYTES = 4 * 1024;

/** What a body of unknown length is counted with until it has come. */
export const UNKNOWN_BODY_BYTES = MAX_BODY_BYTES;
