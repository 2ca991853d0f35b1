/** Limits of supervision. */

/**
 * Active kill switches of one organization beyond which rogue detection activates none, as count. The rest is
 * for people: agents that fall silent must not use up the switches that stop them.
 */
export const MAX_KILL_SWITCHES_WITH_DETECTION_PER_ORG = 90_000;

/** Most supervised sessions of one organization, as count: each costs the leader below 1 KiB. */
export const MAX_SUPERVISED_SESSIONS_PER_ORG = 100_000;

/** Most supervised sessions of one agent, as count: no agent takes the places of the others. */
export const MAX_SUPERVISED_SESSIONS_PER_AGENT = 10_000;

/** Longest line of parents, as count. A longer one is not valid: its end cannot be told from a circle. */
export const MAX_PARENTS = 32;
