import type { GatewayRecord } from "@svc/contract/gateway";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { ClusterMember, ClusterView } from "@svc/store/ports/cluster";

/**
 * The members as lists show them. Times are those of the database's clock. A lease is at least as long as
 * shown, because reads of control state since the last sign of life extend it.
 */
export function gatewayRecords(
  view: ClusterView,
  members: readonly ClusterMember[],
): readonly GatewayRecord[] {
  return members.map((member) => ({
    id: member.id,
    host: member.host,
    version: member.version,
    role: member.role,
    started_at: member.startedAt,
    applied_revision: member.applied,
    lag: Math.max(0, view.head - member.applied),
    lease_ends_at: leaseEnd(view, member),
    last_seen_at: new Date(member.lastSeenMs).toISOString(),
    decisions_per_second: member.decisionsPerSecond,
  }));
}

function leaseEnd({ nowMs }: ClusterView, { lastSeenMs, controlAgeMs }: ClusterMember): string | null {
  if (controlAgeMs === null) return null;
  const endMs = lastSeenMs - controlAgeMs + CONTROL_LEASE_MS;
  return endMs < nowMs ? null : new Date(endMs).toISOString();
}
