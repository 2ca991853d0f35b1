import type { AgentHealth } from "@svc/contract/agent-health";
import type { SupervisedSession, WatchSpan } from "@svc/store/ports/supervision-store";
import type { ControlPlanePorts } from "../ports.ts";
import { riskOf } from "./next-step.ts";
import { escalationEtaSeconds, missedHeartbeats } from "./severity-of.ts";
import { supervisionStatus } from "./supervision-status.ts";
import { watchedSince } from "./watched-clock.ts";

const SECOND_MS = 1_000;

type SessionHealth = AgentHealth["sessions"][number];

/** When supervisors watched, until now, by the clock of the store. */
export interface Watched {
  readonly nowMs: number;
  readonly spans: readonly WatchSpan[];
}

/** The supervision of a session. Silence is watched time, as for the supervisor that raises severities. */
export function sessionHealth(
  { rogueSettings, risks }: Pick<ControlPlanePorts, "rogueSettings" | "risks">,
  session: SupervisedSession,
  watched: Watched,
): SessionHealth {
  const { org, agentId, sessionId, namespace, severity, lastHeartbeatMs } = session;
  const settings = rogueSettings.of(org, namespace).heartbeat;
  const silenceMs = watchedSince(watched.spans, lastHeartbeatMs);
  const passedMs = Math.max(watched.nowMs - lastHeartbeatMs, silenceMs);
  const risk = riskOf({ session, sensitiveTool: risks.sensitiveTool(org, agentId) });
  const waitSeconds = Math.max(
    graceSeconds(watched, settings.interval_seconds),
    Math.ceil(rogueSettings.graceMs(org, namespace, passedMs) / SECOND_MS),
  );
  const etaSeconds =
    session.endedAtMs === null ? escalationEtaSeconds({ severity, silenceMs, settings, risk }) : null;
  return {
    agent_id: agentId,
    session_id: sessionId,
    last_heartbeat: new Date(lastHeartbeatMs).toISOString(),
    missed_heartbeats: missedHeartbeats(silenceMs, settings),
    severity,
    status: supervisionStatus(severity),
    escalation_eta_seconds: etaSeconds === null ? null : Math.max(etaSeconds, waitSeconds),
  };
}

/** Whole seconds in which no severity rises, because watching began or went on less than an interval ago. */
function graceSeconds({ spans, nowMs }: Watched, intervalSeconds: number): number {
  const last = spans.at(-1);
  const watchedSeconds = last?.untilMs === nowMs ? (nowMs - last.fromMs) / SECOND_MS : 0;
  return Math.max(Math.ceil(intervalSeconds - watchedSeconds), 0);
}

/** What health says about an agent without a supervised session. */
export function unsupervised(agentId: string): SessionHealth {
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
