import { SEVERITIES } from "@svc/contract/severity";
import type { ControlChange } from "../ports/control-change.ts";
import type { SessionName, SupervisedSession } from "../ports/supervision-store.ts";
import type { SupervisedSessionsTable } from "./supervision-tables.ts";

export function sessionOf(row: SupervisedSessionsTable): SupervisedSession {
  return {
    org: row.org,
    agentId: row.agent_id,
    sessionId: row.session_id,
    namespace: row.namespace,
    parentSessionId: row.parent_session_id,
    parentAgentId: row.parent_agent_id,
    version: row.version,
    startedAtMs: row.started_at_ms,
    lastHeartbeatMs: row.last_heartbeat_ms,
    severity: row.severity,
    severitySinceMs: row.severity_since_ms,
    reason: row.reason,
    missedHeartbeats: row.missed_heartbeats,
    heard: row.heard === 1,
    reauthenticated: row.reauthenticated === 1,
    orphanedAtMs: row.orphaned_at_ms,
    endedAtMs: row.ended_at_ms,
    contained: row.contained,
  };
}

export function rowOf(session: SupervisedSession): SupervisedSessionsTable {
  return {
    org: session.org,
    agent_id: session.agentId,
    session_id: session.sessionId,
    namespace: session.namespace,
    parent_session_id: session.parentSessionId,
    parent_agent_id: session.parentAgentId,
    version: session.version,
    started_at_ms: session.startedAtMs,
    last_heartbeat_ms: session.lastHeartbeatMs,
    severity: session.severity,
    severity_rank: SEVERITIES.indexOf(session.severity),
    severity_since_ms: session.severitySinceMs,
    reason: session.reason,
    missed_heartbeats: session.missedHeartbeats,
    heard: session.heard ? 1 : 0,
    reauthenticated: session.reauthenticated ? 1 : 0,
    orphaned_at_ms: session.orphanedAtMs,
    ended_at_ms: session.endedAtMs,
    contained: session.contained,
  };
}

/** No name holds a line break. */
export function nameKey({ org, agentId, sessionId }: SessionName): string {
  return `${org}\n${agentId}\n${sessionId}`;
}

/** What gateways are told about the severity of a session. */
export function severityChange(
  row: Pick<SupervisedSessionsTable, "agent_id" | "session_id" | "severity" | "severity_since_ms" | "reason">,
): ControlChange {
  const { agent_id: agentId, session_id: sessionId, severity, reason } = row;
  const since = new Date(row.severity_since_ms).toISOString();
  return { kind: "severity", record: { agentId, sessionId, severity, since, reason } };
}
