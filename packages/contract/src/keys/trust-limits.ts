/** The limits of trust rules and of the keys that they give, each with its unit and its reason. */

/** Longest pattern, issuer, audience or claim of a trust rule, in UTF-16 units: a line of a list. */
export const MAX_TRUST_TEXT_LENGTH = 512;

/** Claims and environments of one trust rule, as count: people read all of them. */
export const MAX_TRUST_CONDITIONS = 20;

/** Seconds that a key lives which a program gets for its token: one step of a pipeline. */
export const MIN_EXCHANGED_KEY_SECONDS = 60;
export const DEFAULT_EXCHANGED_KEY_SECONDS = 600;
export const MAX_EXCHANGED_KEY_SECONDS = 3_600;

/** Characters of a token that a program sends. Tokens of GitHub and GitLab have some 2,000. */
export const MAX_SUBJECT_TOKEN_LENGTH = 16 * 1_024;

/**
 * Most keys that one trust rule has given and that have not ended, as count: one token can be exchanged again
 * and again, and must not use up what other rules need.
 */
export const MAX_LIVE_KEYS_PER_TRUST_RULE = 1_000;

/** The same of all trust rules of an organization: the rest of its keys of minutes is left for logins. */
export const MAX_EXCHANGED_KEYS_PER_ORG = 8_000;
