/** Scopes of a kill switch. `global` is an alias that means account-wide; it never has a target. */
export const KILL_SWITCH_SCOPES = ["session", "agent", "tool", "namespace", "global"] as const;
export type KillSwitchScope = (typeof KILL_SWITCH_SCOPES)[number];
