/**
 * Every limit of the product in one place, each with its unit and its reason.
 * A limit that is reached is a named refusal, never a silent wait and never a truncation.
 */

/**
 * Longest arguments of one call in bytes of canonical JSON, as the audit row holds them: 256 KiB, as much as
 * a body. Only short numbers grow when they are written out (1e15), up to four times; without this limit one
 * body could cost four times its size in the log, in every export and in every reader's memory.
 */
export const MAX_ROW_ARGS_BYTES = 256 * 1024;

/** Most faults that one refusal lists, as count: a hostile body must not be answered with a larger one. */
export const MAX_PROBLEM_ENTRIES = 20;

/** Longest identifier (policy, rule, list, workflow, organization) in bytes: fits index pages and headers. */
export const MAX_IDENTIFIER_BYTES = 128;

/**
 * Longest name of an agent, session, tool or namespace in bytes of UTF-8: real systems have names above 128
 * bytes, and this still fits index pages, and headers when each byte is percent-encoded.
 */
export const MAX_NAME_BYTES = 256;

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

/** Most labels of one policy, as count: for finding it, and not for data. */
export const MAX_LABELS = 32;

/** Longest key of a label in characters. */
export const MAX_LABEL_KEY_LENGTH = 63;

/** Longest value of a label in UTF-16 units. */
export const MAX_LABEL_VALUE_LENGTH = 128;

/** Longest text that a list of policies is searched for, in UTF-16 units. */
export const MAX_SEARCH_LENGTH = 128;

/** Largest body of a simulation in bytes: a whole policy document as a JSON text, and its calls. */
export const MAX_SIMULATION_BYTES = 1024 * 1024;

/** Most calls of one simulation, as count. */
export const MAX_SIMULATED_CALLS = 100;

/**
 * Most rules and conditions that one simulation explains, as count over all of its calls: the answer stays
 * at a few MB.
 */
export const MAX_EXPLAINED_STEPS = 20_000;

/**
 * Time in milliseconds that one simulation may take before the next of its calls is begun. One call of the
 * worst document takes about a second.
 */
export const SIMULATION_BUDGET_MS = 3_000;

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

/**
 * Time in milliseconds within which acknowledgements of a new secret are awaited. Its holder uses it at once,
 * so the answer waits until it works.
 */
export const SECRET_PROPAGATION_WAIT_MS = 5_000;

/** Longest header section of a request in bytes: what common proxies send at most. Beyond it 431. */
export const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Most headers of one request, as count: more than any proxy chain adds. Beyond it 431, never a silent cut.
 */
export const MAX_HEADER_COUNT = 200;

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

/** Names of agents or namespaces that a refusal lists, as count: enough to recognise the key. */
export const MAX_NAMED_BINDINGS = 5;
/** Most namespaces of one organization, as count: one for each team and environment, and room to spare. */
export const MAX_NAMESPACES_PER_ORG = 10_000;

/**
 * Longest time between two heartbeats, or two looks for parents, in seconds: an hour. Slower detection would
 * stop a rogue agent after the damage is done.
 */
export const MAX_DETECTION_INTERVAL_SECONDS = 60 * 60;

/** Longest time in seconds that an orphan has to find a valid parent: a day. */
export const MAX_GRACE_PERIOD_SECONDS = 24 * 60 * 60;

/** Most missed heartbeats before a severity, as count. */
export const MAX_MISSED_HEARTBEATS = 1_000;

/** Longest time in days that audit rows of rogue detection are kept: ten years. */
export const MAX_AUDIT_RETENTION_DAYS = 3_660;

/** Most channels that one namespace notifies, as count: each costs a delivery per escalation. */
export const MAX_NOTIFY_CHANNELS = 20;

/** Longest address or name of a notification channel in UTF-16 units: what browsers and proxies pass. */
export const MAX_CHANNEL_LENGTH = 2_000;

/**
 * Most requests with an Idempotency-Key that are remembered for one principal, as count: at 24 hours each,
 * one such request every nine seconds all day.
 */
export const MAX_REQUEST_KEYS_PER_PRINCIPAL = 10_000;

/** Longest name of a key in UTF-16 units: a line of a list. */
export const MAX_KEY_NAME_LENGTH = 200;

/** Most agents, and most namespaces, that one key is bound to, as count: the set stays resident. */
export const MAX_KEY_BINDINGS = 100;

/** Most keys of one organization that are not revoked, as count: they stay resident in every gateway. */
export const MAX_KEYS_PER_ORG = 10_000;

/**
 * Most secrets of one key that work at once, as count: each rotation announces all of them. Beyond it, rotate
 * with an overlap of 0 seconds.
 */
export const MAX_KEY_SECRETS = 1_024;

/** Seconds for which a rotated secret goes on working when the request names none: time to deploy. */
export const DEFAULT_ROTATION_OVERLAP_SECONDS = 60 * 60;

/** Longest overlap of a rotation in seconds: 7 days. A holder who needs more time needs a key of its own. */
export const MAX_ROTATION_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
/** Time in milliseconds that a request is remembered by its Idempotency-Key: a day, as clients expect. */
export const REQUEST_KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** Longest answer in bytes that is remembered: the keys of one principal then hold 640 MiB at most. */
export const MAX_REMEMBERED_ANSWER_BYTES = 64 * 1024;

/** Most values of one filter of a list, as count: each costs a look into an index. */
export const MAX_FILTER_VALUES = 20;

/**
 * Most bytes of rows on one page of a list: 256 KiB. A page that would hold more is cut, but always has one
 * row. Reading and writing them takes the serving thread two milliseconds.
 */
export const MAX_AUDIT_PAGE_BYTES = 256 * 1024;

/** Seconds for which an approval without a workflow can be resolved: a day, so that a night passes. */
export const DEFAULT_APPROVAL_SECONDS = 24 * 60 * 60;

/** Shortest time in seconds in which a workflow lets people resolve: a minute to read the question. */
export const MIN_APPROVAL_SECONDS = 60;

/** Longest time in seconds in which a workflow lets people resolve: 30 days. A longer pause is a deny. */
export const MAX_APPROVAL_SECONDS = 30 * 24 * 60 * 60;

/** Time in milliseconds in which an approved call can be repeated: long enough for a client that polls. */
export const GRANT_LIFETIME_MS = 60 * 60 * 1_000;

/** Most calls that one approval covers, as count: messages of one task to one channel. A loop asks again. */
export const MAX_COVERED_CALLS = 20;

/** Longest covered arguments with their values, in UTF-16 units: names of people, channels and files. */
export const MAX_COVERED_VALUES_LENGTH = 4_096;

/** Most people that one workflow asks, as count. */
export const MAX_REQUIRED_APPROVERS = 10;

/** Most keys that one workflow names, as count. */
export const MAX_WORKFLOW_KEYS = 100;

/** Most workflows of one organization, as count: one for each team and kind of call. */
export const MAX_WORKFLOWS_PER_ORG = 1_000;

/** Longest time in seconds that `Prefer: wait` holds an answer: below the idle time-out of common proxies. */
export const MAX_APPROVAL_WAIT_SECONDS = 60;

/**
 * Requests that wait for approvals at once in one process, as count. Each holds a connection. One of an
 * organization may wait only while fewer of it wait than places are free, so of one alone at most 500 wait.
 */
export const MAX_APPROVAL_WAITERS = 1_000;

/** Requests of one key that wait for approvals at once, as count: no key takes the places of the others. */
export const MAX_APPROVAL_WAITERS_PER_KEY = 100;
/** Most rows that one replay reads, as count: two minutes of one core, or a day of 60 calls a second. */
export const MAX_REPLAY_ROWS = 5_000_000;

/** Most agents that one replay names, as count. */
export const MAX_REPLAYED_AGENTS = 100;

/** Most sessions whose usage one replay keeps, as count: some 150 MB of the thread of replays. */
export const MAX_REPLAYED_SESSIONS = 500_000;

/** Most charges of one replay that wait for an outcome, as count: outcomes soon follow their decisions. */
export const MAX_REPLAYED_CHARGES = 200_000;

/** Most groups of changed decisions in the result of a replay, as count. */
export const MAX_REPLAY_GROUPS = 1_000;

/** Decisions that one group names, as count: enough to look at. */
export const MAX_REPLAY_EXAMPLES = 5;

/** Replays of one organization that wait or run at once, as count. */
export const MAX_ACTIVE_REPLAYS_PER_ORG = 5;

/** Replays that one organization keeps with their results, as count. The oldest one that has ended goes. */
export const MAX_REPLAYS_PER_ORG = 100;

/** Most rows that one proposal reads, as count: its caller waits for it. */
export const MAX_PROPOSAL_ROWS = 500_000;

/** Most open approvals of one organization, as count: more than its people can look at. Beyond it deny. */
export const MAX_OPEN_APPROVALS_PER_ORG = 10_000;

/** Most open approvals of one agent, as count: no agent takes the places of the others. */
export const MAX_OPEN_APPROVALS_PER_AGENT = 1_000;

/** Most open approvals that one key asked for, as count: half, because an adapter asks for many agents. */
export const MAX_OPEN_APPROVALS_PER_KEY = 5_000;

/**
 * Most gateways of one containment certificate, as count. A certificate of so many is below 1 MiB, also where
 * every name has its greatest length.
 */
export const MAX_CERTIFIED_GATEWAYS = 1_000;
