import type { SupervisionAnswer } from "@svc/contract/heartbeat";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import type { ControlPlanePorts } from "../ports.ts";
import { supervisionStatus } from "./supervision-status.ts";

/** What the answer to a sign of life says. No heartbeat is missed then, whatever the severity still is. */
export function supervisionAnswer(
  { rogueSettings }: Pick<ControlPlanePorts, "rogueSettings">,
  session: Pick<
    SupervisedSession,
    "org" | "agentId" | "sessionId" | "namespace" | "severity" | "reauthenticated" | "endedAtMs"
  >,
): SupervisionAnswer {
  const { org, agentId, sessionId, namespace, severity, reauthenticated, endedAtMs } = session;
  return {
    agent_id: agentId,
    session_id: sessionId,
    severity,
    status: supervisionStatus(severity),
    interval_seconds: rogueSettings.of(org, namespace).heartbeat.interval_seconds,
    missed_heartbeats: 0,
    reauthenticate: severity === "CRITICAL" && !reauthenticated,
    ended: endedAtMs !== null,
  };
}
