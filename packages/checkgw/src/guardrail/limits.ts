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
 * Most requests in progress at once, as count. Further requests are blocked at once instead of waiting for
 * a slow gateway.
 */
export const MAX_PENDING = 128;

/**
 * Most bytes of bodies judged at once, with CONTAINER_BYTES for each list and object in them. A request that
 * would exceed it is blocked at once: its values stay in memory for as long as its gateway is silent, and a
 * thread that runs out of memory loses what it was judging.
 */
export const MAX_JUDGED_BYTES = 4 * 1024 * 1024;

/**
 * Bytes that a list or an object counts for in addition to its text. It takes up to 200 bytes of memory, and
 * its text may be two, where other values take a few times their text.
 */
export const CONTAINER_BYTES = 16;

/**
 * MiB of memory for the values of the judging thread. What may be judged at once takes some 60. Without a
 * bound its garbage is left for as long as the machine has room: a flood of bodies took 900.
 */
export const WORKER_HEAP_MIB = 192;

/** Largest body in bytes that counts as small: some pages of text, read in about 20 ms even if hostile. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** Part of the budget that must remain when the reading of a large body begins: 500 ms of 2 s. */
export const LARGE_BODY_ROOM = 0.25;

/** Bytes of MAX_JUDGED_BYTES reserved for small bodies, so that large ones cannot use them all. */
export const KEPT_FOR_SMALL_BYTES = 512 * 1024;

/**
 * Milliseconds after the budget of a job at which a worker that has not answered counts as stuck. A healthy
 * worker ends its own wait when the budget ends.
 */
export const WORKER_LATE_MS = 500;

/** Milliseconds after which a worker that has not started is abandoned. It loads within about a second. */
export const WORKER_START_MS = 30_000;

/**
 * Characters at the end of a streamed text that LiteLLM holds back until it has asked about the following
 * text, so that a mail address or card number in several pieces is masked as a whole. No address is longer.
 */
export const STREAM_HOLDBACK_CHARS = 254;
