import type { KillSwitchRecord } from "@svc/contract/kill-switch";

const SCOPES = ["namespace", "agent", "session", "tool"] as const;

/** An active switch that stops none of the benchmark's calls; the scopes take turns. */
export function benchmarkSwitch(at: number): KillSwitchRecord {
  return {
    kill_switch_id: `ks_${at}`,
    scope: SCOPES[at % SCOPES.length] ?? "agent",
    target_id: `stopped-${at}`,
    account_wide: false,
    auto_recovery: false,
    status: "active",
    reason: "benchmark",
    activated_by: "bench",
    trigger_source: "api",
    activated_at: "2026-11-01T00:00:00.000Z",
    expires_at: null,
    ended_at: null,
    ended_by: null,
    end_reason: null,
    propagation_ms: 1,
  };
}
