import type { Heartbeat, SupervisionAnswer } from "@svc/contract/heartbeat";
import { MAX_SUPERVISED_SESSIONS_PER_ORG } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { namespaceOfSession } from "./namespace-of-session.ts";
import { supervisionAnswer } from "./supervision-answer.ts";

export type HeartbeatPorts = Pick<ControlPlanePorts, "log" | "heartbeats" | "supervised" | "rogueSettings">;

const NOT_STORED =
  "The store did not confirm the heartbeat, so the session may not be supervised. Send it again.";

const TOO_MANY =
  `The session is NOT supervised: this organization has reached its limit of supervised sessions ` +
  `(${String(MAX_SUPERVISED_SESSIONS_PER_ORG)}). End some with "ended": true.`;

/**
 * Takes a heartbeat. The first one of a session is answered when it is stored, and a later one when it is
 * in the memory of this process.
 */
export async function receiveHeartbeat(
  ports: HeartbeatPorts,
  principal: Principal,
  { agent_id: agentId, ...heartbeat }: Heartbeat & { readonly agent_id: string },
): Promise<{ readonly kind: "noted"; readonly answer: SupervisionAnswer } | Refusal> {
  const placed = namespaceOfSession(ports, principal, agentId);
  if (placed.kind === "problem") return placed;
  const { org } = principal;
  const { namespace } = placed;
  const { session_id: sessionId, parent_session_id: parentSessionId, ended } = heartbeat;
  const beat = { org, agentId, sessionId, namespace, parentSessionId, parentAgentId: null, ended };
  const noted = await callStore(ports, NOT_STORED, () => ports.heartbeats.note(beat));
  if (noted.kind === "problem") return noted;
  switch (noted.value.kind) {
    case "too_many":
      return refuse("limit_reached", TOO_MANY);
    case "recorded":
      return { kind: "noted", answer: supervisionAnswer(ports, noted.value.session) };
    case "noted": {
      const severity = ports.supervised.severityOf(beat);
      return {
        kind: "noted",
        answer: supervisionAnswer(ports, { ...beat, severity, reauthenticated: false }),
      };
    }
  }
}
