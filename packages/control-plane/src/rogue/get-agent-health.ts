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
import { type Outcome, refuse, refuseCursor } from "../refusal.ts";
import { sessionHealth, unsupervised } from "./session-health.ts";
import { spansUntilNow } from "./spans-until-now.ts";

export type HealthPorts = Pick<
  ControlPlanePorts,
  "clock" | "log" | "agents" | "supervision" | "anomalies" | "rogueSettings" | "callCoverage" | "risks"
>;

/** Anomalies that health shows, as count. The log has all of them. */
const MAX_ANOMALIES = 20;

type AgentAnomaly = AgentHealth["anomalies"][number];

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
): Promise<Outcome<AgentHealth>> {
  const { org } = principal;
  const read = await callStore(ports, NOT_READ, () => readHealth(ports, { org, agentId, page }));
  if (read.kind === "problem") return read;
  const { found, first, agent, watched } = read.value;
  if (found === "bad_cursor") return refuseCursor(page.after);
  const worst = first === "bad_cursor" ? [] : first.items;
  const anomalies = read.value.anomalies
    .filter(({ namespace }) => principal.namespaces?.has(namespace) ?? true)
    .map(agentAnomaly);
  const isKnown = agent !== null || found.items.length > 0 || anomalies.length > 0;
  const namespace = agent?.namespace ?? found.items[0]?.namespace ?? null;
  const problem = refuseBinding(principal, { agent_id: agentId, namespace });
  if (problem !== null) return { kind: "problem", problem };
  if (!isKnown) return refuse("not_found", unknown(agentId));
  const healthOf = (session: SupervisedSession) => sessionHealth(ports, session, watched);
  const supervised = found.items.filter(isSupervised);
  const next_cursor = supervised.length < found.items.length ? null : found.next;
  const [own = unsupervised(agentId)] = worst.filter(isSupervised).map(healthOf);
  const { coverage: settings } = ports.rogueSettings.of(org, namespace ?? DEFAULT_NAMESPACE);
  const coverage = await agentCoverage(ports, { org, agentId, settings });
  const evidence = { quarantine: agent?.quarantine ?? null, anomalies, coverage };
  return { kind: "ok", value: { ...own, sessions: supervised.map(healthOf), next_cursor, ...evidence } };
}

/** The list is sorted so that these come before the others. */
function isSupervised({ endedAtMs, severity }: SupervisedSession): boolean {
  return endedAtMs === null || severity !== "INFO";
}

function agentAnomaly({ position, atMs, sessionId, anomaly, explanation }: StoredAnomaly): AgentAnomaly {
  const id = formatDecisionId(position);
  return { id, time: new Date(atMs).toISOString(), session_id: sessionId, anomaly, explanation };
}

interface HealthQuestion {
  readonly org: string;
  readonly agentId: string;
  readonly page: PageRequest;
}

async function readHealth(ports: HealthPorts, { org, agentId, page }: HealthQuestion) {
  const { nowMs } = await ports.supervision.news(null, 1);
  const latest = { sinceMs: nowMs - ANOMALIES_KEPT_MS, limit: MAX_ANOMALIES };
  const [found, first, [agent = null], spans, anomalies] = await Promise.all([
    ports.supervision.sessionsOf(org, agentId, page),
    ports.supervision.sessionsOf(org, agentId, WORST_ALONE),
    ports.agents.agentsNamed(org, [agentId]),
    ports.supervision.watchSpans(),
    ports.anomalies.recentAnomalies(org, agentId, latest),
  ]);
  return { found, first, agent, anomalies, watched: { nowMs, spans: spansUntilNow(spans, nowMs) } };
}

function unknown(agentId: string): string {
  return (
    `Agent ${agentId} is not registered and has no supervised session. Supervision starts with ` +
    `POST agents/${encodeURIComponent(agentId)}/heartbeat {"session_id":"<session>"}.`
  );
}
