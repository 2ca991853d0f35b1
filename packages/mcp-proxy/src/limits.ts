/**
 * Largest message of a client in bytes. Answers of a client to its server carry pictures and texts, so this
 * is more than a tool call may have; reading 1 MiB of hostile JSON stays below about 70 ms of one core.
 */
export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Largest whole JSON answer of a server in bytes: it is held until its id is known to be right. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Largest single event of a stream in bytes: it is held until it is whole; a larger one ends the stream. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** MCP sessions whose owners are remembered, as count. */
export const MAX_SESSIONS = 10_000;

/** Calls whose connection ended before their answer, remembered in case a kill comes, as count. */
export const MAX_LINGERING_CALLS = 10_000;

/** Requests whose streams ended before their answers, remembered for streams that are resumed, as count. */
export const MAX_OPEN_REQUESTS = 10_000;

/** Questions of servers to their clients that are remembered until they are answered, as count. */
export const MAX_OPEN_QUESTIONS = 10_000;

/**
 * Largest arguments of a call, in bytes of JSON, that are kept to judge the answer to a question with: all
 * questions together hold 160 MB at most. Of a larger call the answer is judged alone.
 */
export const MAX_KEPT_ARGS_BYTES = 16 * 1024;

/** Sessions that are implied for clients without one, as count. */
export const MAX_IMPLIED_SESSIONS = 10_000;

/** Milliseconds without a request after which an implied session is over: half an hour. */
export const IMPLIED_SESSION_IDLE_MS = 30 * 60 * 1_000;

/** Tasks whose agents are remembered, as count. */
export const MAX_TASKS = 10_000;

/** Milliseconds that a task is remembered without being asked for: a day. */
export const TASK_MEMORY_MS = 24 * 60 * 60 * 1_000;

/** Tools whose definitions are remembered, as count: a server names all of them. */
export const MAX_PINNED_TOOLS = 10_000;

/** Tools whose mirrored headers are remembered, as count. */
export const MAX_MIRRORED_TOOLS = 10_000;

/** Milliseconds to connect to the server. */
export const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Milliseconds from one question for news of kill switches to the next, at least: the gateway answers at once
 * while switches change, and 50 questions a second tell of all of them in time.
 */
export const KILL_NEWS_INTERVAL_MS = 20;

/** The same when there was no news, or no answer: the gateway itself holds a question for a second. */
export const KILL_RETRY_INTERVAL_MS = 500;

/**
 * Largest list of active kill switches in bytes: an organization has 100,000 at most, of about 130 bytes, or
 * 260 with the longest names.
 */
export const MAX_SWITCH_LIST_BYTES = 32 * 1024 * 1024;

/** Ended kill switches that are looked at after a gap in the news, as count. */
export const ENDED_SWITCHES = 50;

/** Ids of ended kill switches that are remembered, as count: more than are looked at after a gap. */
export const MAX_ENDED_IDS = 200;

/** Age in milliseconds past which the list is too old to resume a stream by. */
export const KILL_LIST_LEASE_MS = 5_000;

/** Milliseconds that running calls get to finish when the proxy is told to stop. */
export const CLOSE_GRACE_MS = 2_000;

/** Milliseconds that the answers to those that did not finish get to arrive before connections are cut. */
export const LAST_ANSWERS_MS = 250;
