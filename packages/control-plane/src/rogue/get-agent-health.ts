import type { AgentHealth } from "@svc/contract/agent-health";
import { formatDecisionId } from "@svc/contract/decision-id";
import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import { ANOMALIES_KEPT_MS, type StoredAnomaly } from "@svc/store/ports/anomaly-store";
import type { PageRequest } from "@svc/store/ports/page";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import { agentCoverage } from "../call-coverage/agent-coverage.ts";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse, refuseCursor } from "../refusal.ts";
import { riskOf } from "./next-step.ts";
import { escalationEtaSeconds, missedHeartbeats } from "./severity-of.ts";
import { supervisionStatus } from "./supervision-status.ts";

export type HealthPorts = Pick<
  ControlPlanePorts,
  "clock" | "log" | "supervision" | "anomalies" | "supervised" | "rogueSettings" | "callCoverage" | "risks"
>;

/** Anomalies that health shows, as count. The log has all of them. */
const MAX_ANOMALIES = 20;

type AgentAnomaly = AgentHealth["anomalies"][number];

type SessionHealth = AgentHealth["sessions"][number];

interface Question {
  readonly agent_id: string;
  readonly page: PageRequest;
}

const WORST_ALONE: PageRequest = { limit: 1, after: null };

/** How the sessions of an agent are: the worst one first. */
export async function getAgentHealth(
  ports: HealthPorts,
  principal: Principal,
  { agent_id: agentId, page }: Question,
): Promise<{ readonly kind: "found"; readonly health: AgentHealth } | Refusal> {
  const { org } = principal;
  const read = await callStore(ports, NOT_READ, async () => {
    const { nowMs } = await ports.supervision.news(null, 1);
    const latest = { sinceMs: nowMs - ANOMALIES_KEPT_MS, limit: MAX_ANOMALIES };
    const [sessions, first, anomalies] = await Promise.all([
      ports.supervision.sessionsOf(org, agentId, page),
      ports.supervision.sessionsOf(org, agentId, WORST_ALONE),
      ports.anomalies.recentAnomalies(org, agentId, latest),
    ]);
    const worst = first === "bad_cursor" ? [] : first.items;
    const visible = anomalies.filter(({ namespace }) => principal.namespaces?.has(namespace) ?? true);
    return { sessions, worst, anomalies: visible.map(agentAnomaly), nowMs };
  });
  if (read.kind === "problem") return read;
  const { sessions: found, worst, anomalies, nowMs } = read.value;
  if (found === "bad_cursor") return refuseCursor(page.after);
  const registered = ports.supervised.namespaceOf(org, agentId);
  const isKnown = registered !== null || found.items.length > 0 || anomalies.length > 0;
  const namespace = registered ?? found.items[0]?.namespace ?? null;
  const problem = refuseBinding(principal, { agent_id: agentId, namespace });
  if (problem !== null) return { kind: "problem", problem };
  if (!isKnown) return refuse("not_found", unknown(agentId));
  const healthOf = (session: SupervisedSession) => sessionHealth(ports, session, nowMs);
  const supervised = found.items.filter(isSupervised);
  const next_cursor = supervised.length < found.items.length ? null : found.next;
  const [own = unsupervised(agentId)] = worst.filter(isSupervised).map(healthOf);
  const { coverage: settings } = ports.rogueSettings.of(org, namespace ?? DEFAULT_NAMESPACE);
  const coverage = await agentCoverage(ports, { org, agentId, settings });
  const evidence = { quarantine: null, anomalies, coverage };
  return { kind: "found", health: { ...own, sessions: supervised.map(healthOf), next_cursor, ...evidence } };
}

/** The list is sorted so that these come before the others. */
function isSupervised({ endedAtMs, severity }: SupervisedSession): boolean {
  return endedAtMs === null || severity !== "INFO";
}

function agentAnomaly({ position, atMs, sessionId, anomaly, explanation }: StoredAnomaly): AgentAnomaly {
  const id = formatDecisionId(position);
  return { id, time: new Date(atMs).toISOString(), session_id: sessionId, anomaly, explanation };
}

function sessionHealth(
  { rogueSettings, risks }: HealthPorts,
  session: SupervisedSession,
  nowMs: number,
): SessionHealth {
  const { org, agentId, sessionId, namespace, severity, lastHeartbeatMs } = session;
  const settings = rogueSettings.of(org, namespace).heartbeat;
  const silenceMs = nowMs - lastHeartbeatMs;
  const risk = riskOf({ session, sensitiveTool: risks.sensitiveTool(org, agentId) });
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
