import type { Heartbeat, SupervisionAnswer } from "@svc/contract/heartbeat";
import type { Principal } from "@svc/contract/principal";
import {
  MAX_SUPERVISED_SESSIONS_PER_AGENT,
  MAX_SUPERVISED_SESSIONS_PER_ORG,
} from "@svc/contract/supervised-limits";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { findCircle } from "./find-circle.ts";
import type { Beat } from "./heartbeat-receiver.ts";
import { MAX_PARENTS } from "./judge-parent.ts";
import { namespaceOfSession } from "./namespace-of-session.ts";
import { supervisionAnswer } from "./supervision-answer.ts";

export type HeartbeatPorts = Pick<
  ControlPlanePorts,
  "log" | "heartbeats" | "supervision" | "supervised" | "rogueSettings"
>;

const NOT_STORED =
  "The store did not confirm the heartbeat, so the session may not be supervised. Send it again.";

const BUSY =
  "The heartbeat does NOT count: too many heartbeats wait until the store takes them. " +
  "Send it again in a second.";

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
  if (parentSessionId !== null && !ports.heartbeats.hasParent(beat)) {
    const circle = await refuseCircle(ports, beat, parentSessionId);
    if (circle !== null) return circle;
  }
  const noted = await callStore(ports, NOT_STORED, () => ports.heartbeats.note(beat));
  if (noted.kind === "problem") return noted;
  switch (noted.value.kind) {
    case "too_many":
      return refuse("limit_reached", tooMany(noted.value.of, agentId));
    case "busy":
      return refuse("unavailable", BUSY);
    case "recorded":
      return { kind: "noted", answer: supervisionAnswer(ports, noted.value.session) };
    case "noted": {
      const severity = ports.supervised.severityOf(beat);
      const { reauthenticated } = noted.value;
      return { kind: "noted", answer: supervisionAnswer(ports, { ...beat, severity, reauthenticated }) };
    }
  }
}

/** Refuses a parent that descends from the session. A parent that was accepted before is not looked up. */
async function refuseCircle(
  ports: Pick<HeartbeatPorts, "log" | "supervision">,
  beat: Beat,
  parentSessionId: string,
): Promise<Refusal | null> {
  const { sessionId, parentAgentId } = beat;
  const found = await callStore(ports, NOT_READ, () =>
    findCircle(ports.supervision, beat, { sessionId: parentSessionId, agentId: parentAgentId }),
  );
  if (found.kind === "problem") return found;
  switch (found.value) {
    case "none":
      return null;
    case "circular":
      return refuse(
        "conflict",
        `parent_session_id: session ${parentSessionId} descends from session ${sessionId}, so it cannot be ` +
          "its parent. The heartbeat does NOT count. Name the session that started this one, or leave the " +
          "field out.",
      );
    case "too_long":
      return refuse(
        "conflict",
        `parent_session_id: session ${parentSessionId} has ${String(MAX_PARENTS)} or more above it, ` +
          "and a longer line is not followed. The heartbeat does NOT count. Name a session nearer to " +
          "the first one.",
      );
  }
}

function tooMany(whose: "agent" | "organization", agentId: string): string {
  const [who, limit] =
    whose === "agent"
      ? [`agent ${agentId}`, MAX_SUPERVISED_SESSIONS_PER_AGENT]
      : ["this organization", MAX_SUPERVISED_SESSIONS_PER_ORG];
  return (
    `The session is NOT supervised: ${who} has reached its limit of supervised sessions ` +
    `(${String(limit)}). ` +
    'End some with "ended": true. Terminated ones count until an operator registers their agent again.'
  );
}
