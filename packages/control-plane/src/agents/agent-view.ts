import type { SeenAgent } from "@svc/audit-index/read-agents";
import type { AgentRecord, AgentStatus } from "@svc/contract/agent";
import type { Severity } from "@svc/contract/severity";
import type { AgentSupervision, StoredAgent } from "@svc/store/ports/agent-store";

/** What is known of one agent, from three places. At least one of them knows it. */
export interface KnownAgent {
  readonly id: string;
  readonly stored: StoredAgent | null;
  readonly seen: SeenAgent | null;
  readonly supervision: AgentSupervision | null;
}

/** An agent as it is shown. */
export function viewAgent({ id, stored, seen, supervision }: KnownAgent): AgentRecord {
  const severity = supervision?.severity ?? "INFO";
  return {
    id,
    name: stored?.name ?? id,
    namespace: stored?.namespace ?? seen?.namespace ?? supervision?.namespace ?? "",
    provider: stored?.provider ?? null,
    tags: stored?.tags ?? [],
    capabilities: stored?.capabilities ?? [],
    parent_agent_id: stored?.parent_agent_id ?? null,
    status: statusOf(stored !== null, severity),
    severity,
    last_heartbeat: timeOf(supervision?.lastHeartbeatMs),
    quarantine: stored?.quarantine ?? null,
    first_seen: timeOf(seen?.firstAt),
    last_seen: timeOf(seen?.lastAt),
    registered_at: stored?.registered_at ?? null,
    created_by: stored?.created_by ?? null,
  };
}

function statusOf(isRegistered: boolean, severity: Severity): AgentStatus {
  switch (severity) {
    case "EMERGENCY":
      return "terminated";
    case "CRITICAL":
      return "suspended";
    case "WARNING":
    case "INFO":
      return isRegistered ? "registered" : "discovered";
  }
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
