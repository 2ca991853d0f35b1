import type { ContainmentCertificate } from "@svc/contract/containment-certificate";

/** A certificate of a switch that two gateways enforce. */
export function certificateOf(changes: Partial<ContainmentCertificate>): ContainmentCertificate {
  const gateway = {
    host: "host",
    version: "1",
    state: "enforcing",
    acknowledged_at: "2026-11-22T03:00:00.003Z",
    contained_since: "2026-11-22T03:00:00.003Z",
    contained_at_latest: null,
    last_seen_at: "2026-11-22T03:00:07.900Z",
  } as const;
  return {
    v: 1,
    kill_switch_id: "ks_1",
    org: "default",
    scope: "agent",
    target_id: "agent-1",
    account_wide: false,
    reason: "it refunds \u2014 again",
    activated_by: "alice",
    trigger_source: "api",
    activated_at: "2026-11-22T03:00:00.000Z",
    expires_at: null,
    status: "active",
    ended_at: null,
    ended_by: null,
    end_reason: null,
    revision: 4,
    audit_row: { id: "gw-1.12", hash: "ab".repeat(32), checkpoint_size: 14 },
    issued_at: "2026-11-22T03:00:08.000Z",
    issued_by: "gw-1",
    clock: "database",
    lease_ms: 1_500,
    containment: "contained",
    contained_since: "2026-11-22T03:00:00.003Z",
    contained_at_latest: null,
    gateways: [
      { id: "gw-1", ...gateway },
      { id: "gw-2", ...gateway },
    ],
    ...changes,
  };
}
