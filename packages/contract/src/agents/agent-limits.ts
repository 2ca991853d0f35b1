/** The limits of agents and their supervision, each with its unit and its reason, as in limits.ts. */

/**
 * Most registered agents of one organization, as count: they stay resident in every gateway, and each takes
 * some 300 bytes there.
 */
export const MAX_AGENTS_PER_ORG = 100_000;

/** Longest name, or provider, of an agent in UTF-16 units: a line of a list. */
export const MAX_AGENT_NAME_LENGTH = 200;

/** Most tags, and most capabilities, of one agent, as count: a list shows them all. */
export const MAX_AGENT_LABELS = 50;

/** Longest tag or capability in UTF-16 units: a word or two. */
export const MAX_AGENT_LABEL_LENGTH = 100;

/** Deepest chain from an agent to the parent that has none, as count: each registration walks it. */
export const MAX_AGENT_DEPTH = 32;
