import type { AgentHealth } from "@svc/contract/agent-health";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { PageRequest } from "@svc/store/ports/page";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse, refuseCursor } from "../refusal.ts";
import { escalationEtaSeconds, missedHeartbeats, type RiskFactor } from "./severity-of.ts";
import { supervisionStatus } from "./supervision-status.ts";

export type HealthPorts = Pick<ControlPlanePorts, "log" | "supervision" | "supervised" | "rogueSettings">;

type SessionHealth = AgentHealth["sessions"][number];

interface Question {
  readonly agent_id: string;
  readonly page: PageRequest;
}

/** How the sessions of an agent are: the worst one first. */
export async function getAgentHealth(
  ports: HealthPorts,
  principal: Principal,
  { agent_id: agentId, page }: Question,
): Promise<{ readonly kind: "found"; readonly health: AgentHealth } | Refusal> {
  const { org } = principal;
  const read = await callStore(ports, NOT_READ, async () => {
    const [sessions, news] = await Promise.all([
      ports.supervision.sessionsOf(org, agentId, page),
      ports.supervision.news(null, 1),
    ]);
    return { sessions, nowMs: news.nowMs };
  });
  if (read.kind === "problem") return read;
  const { sessions: found, nowMs } = read.value;
  if (found === "bad_cursor") return refuseCursor(page.after);
  const registered = ports.supervised.namespaceOf(org, agentId);
  const isKnown = registered !== null || found.items.length > 0;
  const namespace = registered ?? found.items[0]?.namespace ?? null;
  const problem = refuseBinding(principal, { agent_id: agentId, namespace });
  if (problem !== null) return { kind: "problem", problem };
  if (!isKnown) return refuse("not_found", unknown(agentId));
  const sessions = found.items
    .filter(({ endedAtMs, severity }) => endedAtMs === null || severity !== "INFO")
    .map((session) => sessionHealth(ports, session, nowMs));
  const worst = sessions[0] ?? unsupervised(agentId);
  const evidence = { quarantine: null, anomalies: [], coverage: null };
  return { kind: "found", health: { ...worst, sessions, next_cursor: found.next, ...evidence } };
}

function sessionHealth(
  { rogueSettings }: HealthPorts,
  session: SupervisedSession,
  nowMs: number,
): SessionHealth {
  const { org, agentId, sessionId, namespace, severity, lastHeartbeatMs, orphanedAtMs } = session;
  const settings = rogueSettings.of(org, namespace).heartbeat;
  const silenceMs = nowMs - lastHeartbeatMs;
  const risk: RiskFactor = orphanedAtMs === null ? "normal" : "raised";
  return {
    agent_id: agentId,
    session_id: sessionId,
    last_heartbeat: new Date(lastHeartbeatMs).toISOString(),
    missed_heartbeats: missedHeartbeats(silenceMs, settings),
    severity,
    status: supervisionStatus(severity),
    escalation_eta_seconds:
      session.endedAtMs === null ? escalationEtaSeconds({ severity, silenceMs, settings, risk }) : null,
  };
}

function unsupervised(agentId: string): SessionHealth {
  return {
    agent_id: agentId,
    session_id: null,
    last_heartbeat: null,
    missed_heartbeats: 0,
    severity: "INFO",
    status: "unsupervised",
    escalation_eta_seconds: null,
  };
}

function unknown(agentId: string): string {
  return (
    `Agent ${agentId} is not registered and has no supervised session. Supervision starts with ` +
    `POST agents/${agentId}/heartbeat {"session_id":"<session>"}.`
  );
}
