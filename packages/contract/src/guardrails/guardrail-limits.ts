/** Most guardrails of one organization, and of one file, as count: every check of a policy knows them all. */
export const MAX_GUARDRAILS_PER_ORG = 100;

/** Most policies that use one guardrail, as count: a change of it writes a version of each at once. */
export const MAX_POLICIES_PER_GUARDRAIL = 500;

/** Most patterns of one guardrail, as count: each is searched for in every text of a call. */
export const MAX_GUARDRAIL_PATTERNS = 50;

/** Most built-in detectors that one guardrail names, as count: more than there are. */
export const MAX_GUARDRAIL_DETECTORS = 50;

/** Longest pattern in UTF-16 units, as in a policy. */
export const MAX_GUARDRAIL_PATTERN_LENGTH = 4_000;

/** Most texts that one guardrail lets pass, as count. */
export const MAX_ALLOWED_TEXTS = 200;

/** Most texts of each kind that one pattern is tried on, as count. */
export const MAX_PATTERN_SAMPLES = 20;

/** Longest text of a sample or of what is allowed, in UTF-16 units. */
export const MAX_GUARDRAIL_TEXT = 1_000;

/** Longest description, in UTF-16 units: a sentence or two. */
export const MAX_GUARDRAIL_DESCRIPTION = 500;

/**
 * Most bytes of one guardrail as JSON, samples included: every version of every policy that uses it holds
 * what of it decides calls.
 */
export const MAX_GUARDRAIL_BYTES = 32_768;

/** Longest text that a guardrail is tried on, in UTF-16 units: what one argument of a call may hold. */
export const MAX_GUARDRAIL_TEST_TEXT = 65_536;
