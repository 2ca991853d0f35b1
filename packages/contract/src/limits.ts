/**
 * Every limit of the product in one place, each with its unit and its reason.
 * A limit that is reached is a named refusal, never a silent wait and never a truncation.
 */

/** Largest request body in bytes. Parsing 256 KiB of hostile JSON stays below about 30 ms of one core. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * Longest arguments of one call in bytes of canonical JSON, as the audit row holds them: 256 KiB, as much as
 * a body. Only short numbers grow when they are written out (1e15), up to four times; without this limit one
 * body could cost four times its size in the log, in every export and in every reader's memory.
 */
export const MAX_ROW_ARGS_BYTES = 256 * 1024;

/** Most faults that one refusal lists, as count: a hostile body must not be answered with a larger one. */
export const MAX_PROBLEM_ENTRIES = 20;

/** Deepest nesting of a JSON document, in levels. Deeper input would exhaust recursive consumers' stacks. */
export const MAX_JSON_DEPTH = 64;

/**
 * Longest identifier (agent, session, tool, namespace, policy, rule) in bytes: fits index pages and headers.
 */
export const MAX_IDENTIFIER_BYTES = 128;

/** Longest free text (reason, display name) in UTF-16 units: a sentence for people, not a document. */
export const MAX_REASON_LENGTH = 1_000;

/** Largest policy document in bytes. */
export const MAX_POLICY_BYTES = 256 * 1024;

/** Most YAML aliases that one policy document may expand: alias bombs stay small. */
export const MAX_YAML_ALIASES = 50;

/** Most rules in one policy, as count: evaluation stays within tens of microseconds. */
export const MAX_RULES_PER_POLICY = 1_000;

/** Most globs in one list of a policy, as count. */
export const MAX_GLOBS_PER_LIST = 1_000;

/** Most policies of one organization, as count: the compiled set stays resident in every gateway. */
export const MAX_POLICIES_PER_ORG = 10_000;

/** Most active kill switches of one organization, as count: the set stays resident in every gateway. */
export const MAX_ACTIVE_KILL_SWITCHES_PER_ORG = 100_000;

/** Largest page of a list, in items. */
export const MAX_PAGE_SIZE = 200;

/** Page size of a list when the caller names none, in items. */
export const DEFAULT_PAGE_SIZE = 50;

/** Shortest life of a kill switch in seconds. */
export const MIN_TTL_SECONDS = 1;

/** Longest life of a kill switch in seconds: 366 days; longer means "until deactivated". */
export const MAX_TTL_SECONDS = 366 * 24 * 60 * 60;

/** Shortest decision timeout in milliseconds: below it, ordinary scheduling noise would deny every call. */
export const MIN_DECISION_TIMEOUT_MS = 50;

/** Longest decision timeout in milliseconds: no proxy in front waits longer. */
export const MAX_DECISION_TIMEOUT_MS = 60_000;

/** Decision timeout in milliseconds when none is configured (specification). */
export const DEFAULT_DECISION_TIMEOUT_MS = 5_000;

/** Calls that one gateway works on at once; beyond it 503 with Retry-After. Bounds memory under overload. */
export const MAX_REQUESTS_IN_FLIGHT = 10_000;

/** Most bytes that a client reads of a verdict: 1 MiB; a longer body is not a readable verdict. */
export const MAX_VERDICT_BYTES = 1024 * 1024;

/** Age in milliseconds past which control state counts as unverified and every call is denied. */
export const CONTROL_LEASE_MS = 1_500;

/**
 * Time in milliseconds within which acknowledgements of a kill switch are awaited (specification:
 * under 100 ms).
 */
export const PROPAGATION_WAIT_MS = 100;

/**
 * Time in milliseconds within which acknowledgements of a change of policies are awaited: the worst document
 * takes a second or two of a quiet core, and a proxy in front waits longer than this.
 */
export const POLICY_PROPAGATION_WAIT_MS = 5_000;

/** Largest cost of one call or ceiling in micro-USD (1 billion USD): sums stay far below 2^53. */
export const MAX_COST_MICRO_USD = 1_000_000_000_000_000;

/** Longest header section of a request in bytes: what common proxies send at most. Beyond it 431. */
export const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Most headers of one request, as count: more than any proxy chain adds. Beyond it 431, never a silent cut.
 */
export const MAX_HEADER_COUNT = 200;

/** Connections of one listener at once, as count; more are closed at once. Bounds memory under a flood. */
export const MAX_CONNECTIONS = 20_000;

/** Time in milliseconds for a request's headers to arrive: a slow sender gives its place up. */
export const HEADERS_TIMEOUT_MS = 10_000;

/** Time in milliseconds for a whole request to arrive. */
export const REQUEST_TIMEOUT_MS = 15_000;

/**
 * Time in milliseconds that an idle connection is kept: longer than proxies keep theirs, so that
 * they close first.
 */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/**
 * Time in milliseconds that a connection may stand still while an answer is owed or is not taken: longer than
 * any decision, so that only who stopped reading meets it.
 */
export const STALLED_CONNECTION_MS = 2 * MAX_DECISION_TIMEOUT_MS;
