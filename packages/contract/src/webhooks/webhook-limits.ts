/** Most endpoints of webhooks of one organization, as count: every event is compared with each of them. */
export const MAX_WEBHOOKS_PER_ORG = 100;

/** Longest address of an endpoint in characters: more than any receiver needs. */
export const MAX_WEBHOOK_URL_LENGTH = 2_048;

/** Most agents or namespaces that an endpoint names, as count. */
export const MAX_WEBHOOK_NAMES = 100;

/** Seconds that two secrets of an endpoint sign side by side, unless the caller names another time. */
export const DEFAULT_WEBHOOK_OVERLAP_SECONDS = 24 * 60 * 60;

/** Rows of the log that one replay looks at, as count: the serving thread stays free for others. */
export const MAX_REPLAYED_EVENT_ROWS = 5_000;

/** Rows that are looked at for one answer about what an endpoint has not got yet, as count. */
export const MAX_PENDING_ROWS = 2_000;

/** Longest cursor of a replay in characters: it names the place in every log. */
export const MAX_REPLAY_CURSOR_LENGTH = 64 * 1024;
