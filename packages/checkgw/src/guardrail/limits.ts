/**
 * Longest time in milliseconds from a request's arrival to its answer, unless the decision timeout is
 * shorter. Callers give up after about 3 s, and some of them then let the message pass.
 */
export const GUARDRAIL_BUDGET_MS = 2_000;

/**
 * Largest body in bytes: a whole conversation as text. Parsing 1 MiB of hostile JSON takes up to about half a
 * second of one core, and every other request waits for it.
 */
export const MAX_GUARDRAIL_BYTES = 1024 * 1024;

/**
 * Most requests worked on at once, as count; more are blocked at once, instead of waiting for a slow gateway.
 */
export const MAX_PENDING = 128;

/**
 * Most bytes of bodies judged at once; a request beyond it is blocked at once. Hostile JSON takes up to a
 * hundred times its size in memory for as long as its gateway is silent, and a thread that runs out of memory
 * can take the process with it.
 */
export const MAX_JUDGED_BYTES = 4 * 1024 * 1024;

/** Largest body in bytes that counts as small: some pages of text, read in about 20 ms even if hostile. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** Part of its budget that a large body must have left when its reading begins: 500 ms of 2 s. */
export const LARGE_BODY_ROOM = 0.25;

/** Bytes of MAX_JUDGED_BYTES that small bodies alone may take: large ones must not leave them without. */
export const KEPT_FOR_SMALL_BYTES = 512 * 1024;

/**
 * Milliseconds past its budget after which a job that the worker still owes shows that the worker is stuck:
 * it ends its own waiting when the budget ends.
 */
export const WORKER_LATE_MS = 500;

/** Milliseconds after which a worker that has not started is given up: loading it takes a second at most. */
export const WORKER_START_MS = 30_000;

/**
 * Characters at the end of a streamed text that LiteLLM keeps back until it has asked about what follows: a
 * mail address or a card number that comes in pieces is masked as a whole. No address is longer.
 */
export const STREAM_HOLDBACK_CHARS = 254;
