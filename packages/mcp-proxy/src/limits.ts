import { CONTROL_LEASE_MS } from "@svc/contract/limits";

/**
 * Largest message of a client in bytes. A client's answer to its server may carry pictures and texts, so this
 * is more than a tool call may have. Parsing 1 MiB of hostile JSON takes about 70 ms of one core at most.
 */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Largest JSON answer of a server in bytes: the proxy holds it until it has checked its id. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Largest event of a stream in bytes: the proxy holds it until it is whole. A larger one ends the stream. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** MCP sessions whose owners are remembered, as count. */
export const MAX_SESSIONS = 10_000;

/** Calls whose connection ended before their answer, kept in reach of kill switches, as count. */
export const MAX_LINGERING_CALLS = 10_000;

/** Requests whose streams ended before their answers, remembered for resumed streams, as count. */
export const MAX_OPEN_REQUESTS = 10_000;

/** Unanswered questions of servers that are remembered, as count. */
export const MAX_OPEN_QUESTIONS = 10_000;

/**
 * Largest arguments in bytes of JSON that are kept with a question, so that its answer can be judged with
 * them. All questions together hold 160 MB at most. Without the arguments the answer is judged alone.
 */
export const MAX_KEPT_ARGS_BYTES = 16 * 1024;

/** Implied sessions of clients that name none, as count. */
export const MAX_IMPLIED_SESSIONS = 10_000;

/** Milliseconds without a request after which an implied session ends: half an hour. */
export const IMPLIED_SESSION_IDLE_MS = 30 * 60 * 1_000;

/** Tasks whose agents are remembered, as count. */
export const MAX_TASKS = 10_000;

/** Milliseconds after the last request for a task until it is forgotten: a day. */
export const TASK_MEMORY_MS = 24 * 60 * 60 * 1_000;

/** Tools whose definitions are remembered, as count. A server chooses how many it lists. */
export const MAX_PINNED_TOOLS = 10_000;

/** Tools whose repeated arguments are remembered, as count. */
export const MAX_MIRRORED_TOOLS = 10_000;

/** Milliseconds to connect to the server. */
export const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Shortest time in milliseconds between two requests for news of kill switches. The gateway answers at once
 * while switches change, and 50 requests a second bring all changes in time.
 */
export const KILL_NEWS_INTERVAL_MS = 20;

/**
 * The same after a request without news or without an answer. The gateway holds each request for this long.
 */
export const KILL_RETRY_INTERVAL_MS = 500;

/**
 * Largest list of active kill switches in bytes: an organization has 100,000 at most, of about 130 bytes, or
 * 260 with the longest names.
 */
export const MAX_SWITCH_LIST_BYTES = 32 * 1024 * 1024;

/** Ids of ended kill switches that are remembered, as count: more than are read after a gap. */
export const MAX_ENDED_IDS = 200;

/**
 * Milliseconds without news of kill switches after which running calls end and nothing can be resumed: the
 * time that a gateway itself decides calls without news. The gateway answers each request in half a second.
 */
export const KILL_NEWS_LEASE_MS = CONTROL_LEASE_MS;

/** Milliseconds between two looks for running calls that have had no news for too long. */
export const UNVERIFIED_CHECK_MS = 250;

/** Milliseconds that running calls get to finish when the proxy stops. */
export const CLOSE_GRACE_MS = 2_000;

/** Milliseconds from the last answers of a stopping proxy until it cuts the connections. */
export const LAST_ANSWERS_MS = 250;
