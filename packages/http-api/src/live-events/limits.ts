/**
 * Streams of one process at once, as count: each takes a connection and up to CHUNK_BYTES. An organization
 * opens one only while it has fewer than are free, so one alone has at most 1,500.
 */
export const MAX_READERS = 3_000;

/** The same of one API key, as count, so that one key leaves a third of these to the others. */
export const MAX_READERS_PER_KEY = 1_000;

/**
 * Milliseconds between two reads of the log while somebody reads events. Events of that time are sent
 * together, because a write for each event and reader would cost more than the decisions.
 */
export const POLL_MS = 50;

/** Rows of one read, as count: with POLL_MS, 10,000 rows a second. */
export const POLL_ROWS = 500;

/** Bytes of rows of one read: with POLL_MS, 10 MiB a second. */
export const POLL_BYTES = 512 * 1024;

/** Rows that the stream may lag behind the log, as count, before it goes on at the end: a second of load. */
export const MAX_LAG_ROWS = 10_000;

/** Milliseconds until the log is read again after a read failed. */
export const POLL_RETRY_MS = 1_000;

/** Bytes of events that are kept for all readers together. A reader that needs an older one gets a gap. */
export const RING_BYTES = 8 * 1024 * 1024;

/** Bytes that one reader is sent at once, or one longer event. It gets more when these are taken. */
export const CHUNK_BYTES = 64 * 1024;

/** Bytes that all readers together may have been sent and not yet taken. */
export const MAX_UNTAKEN_BYTES = 64 * 1024 * 1024;

/** Milliseconds between two slices of sending. */
export const SLICE_EVERY_MS = 10;

/** Milliseconds of one slice: sending takes at most a tenth of the thread that answers calls. */
export const SLICE_MS = 1;

/** Bytes of one slice: 16 MiB a second for all readers. */
export const SLICE_BYTES = 160 * 1024;

/** Readers that read the log to catch up at the same time, as count. Each reads one page and waits again. */
export const CATCH_UPS = 2;

/** Milliseconds between two comments, for proxies that end quiet connections after half a minute. */
export const HEARTBEAT_MS = 15_000;

/** Milliseconds between two looks at readers that ended, stand still or have heard nothing. */
export const SWEEP_MS = 1_000;

/** Milliseconds after which a reader that takes nothing is disconnected: it holds memory of all readers. */
export const STALL_MS = 30_000;

/** Least milliseconds after which a client connects again; up to as many come on top at random. */
export const RETRY_MS = 2_000;

/** Logs that the id of an event names, as count: it is sent with every event. */
export const MAX_NAMED_LOGS = 32;

/** Longest id that is read, in characters: every log with the longest name. */
export const MAX_EVENT_ID_LENGTH = 8 * 1024;
