/** Scopes of a kill switch. `global` is an alias that means account-wide; it never has a target. */
export const KILL_SWITCH_SCOPES = ["session", "agent", "tool", "namespace", "global"] as const;
export type KillSwitchScope = (typeof KILL_SWITCH_SCOPES)[number];

export const TRIGGER_SOURCES = ["manual", "api", "rogue_detection", "ttl_expiry"] as const;
export type TriggerSource = (typeof TRIGGER_SOURCES)[number];

/** One gateway's part in the propagation of a switch. */
export interface GatewayAcknowledgement {
  readonly id: string;
  /** Milliseconds from commit to enforcement at that gateway; null: it did not answer in time. */
  readonly acknowledged_ms: number | null;
}

/** A kill switch in its wire form. Times are RFC 3339 UTC with milliseconds. */
export interface KillSwitchRecord {
  readonly kill_switch_id: string;
  readonly scope: KillSwitchScope;
  /** Null for an account-wide switch that names none. */
  readonly target_id: string | null;
  readonly account_wide: boolean;
  readonly auto_recovery: boolean;
  readonly status: "active" | "inactive";
  readonly reason: string;
  readonly activated_by: string;
  readonly trigger_source: TriggerSource;
  readonly activated_at: string;
  /** Null: active until deactivated. */
  readonly expires_at: string | null;
  readonly ended_at: string | null;
  /** Who ended it; `ttl_expiry` when its time ran out. */
  readonly ended_by: string | null;
  readonly end_reason: string | null;
  /** Milliseconds from `activated_at` to the slowest acknowledged enforcement; null while there is none. */
  readonly propagation_ms: number | null;
}
