import type { Heartbeat, SupervisionAnswer } from "@svc/contract/heartbeat";
import type { Principal } from "@svc/contract/principal";
import {
  MAX_PARENTS,
  MAX_SUPERVISED_SESSIONS_PER_AGENT,
  MAX_SUPERVISED_SESSIONS_PER_ORG,
} from "@svc/contract/supervised-limits";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { namespaceOfSession } from "./namespace-of-session.ts";
import { supervisionAnswer } from "./supervision-answer.ts";

export type HeartbeatPorts = Pick<ControlPlanePorts, "log" | "heartbeats" | "supervised" | "rogueSettings">;

const NOT_STORED =
  "The store did not confirm the heartbeat, so the session may not be supervised. Send it again.";

const BUSY =
  "The heartbeat does NOT count: too many heartbeats wait until the store takes them. " +
  "Send it again in a second.";

/**
 * Takes a heartbeat. The first one of a session is answered when it is stored, and a later one when it is
 * in the memory of this process. At CRITICAL each one is, because another process may have taken the
 * re-authentication that the answer would ask for.
 */
export async function receiveHeartbeat(
  ports: HeartbeatPorts,
  principal: Principal,
  { agent_id: agentId, ...heartbeat }: Heartbeat & { readonly agent_id: string },
): Promise<Outcome<SupervisionAnswer>> {
  const placed = namespaceOfSession(ports, principal, agentId);
  if (placed.kind === "problem") return placed;
  const { org } = principal;
  const { value: namespace } = placed;
  const { session_id: sessionId, parent_session_id: parentSessionId, ended } = heartbeat;
  const beat = { org, agentId, sessionId, namespace, parentSessionId, parentAgentId: null, ended };
  const severity = ports.supervised.severityOf(beat);
  const answered = severity === "CRITICAL" ? "stored" : "noted";
  const noted = await callStore(ports, NOT_STORED, () => ports.heartbeats.note(beat, answered));
  if (noted.kind === "problem") return noted;
  switch (noted.value.kind) {
    case "too_many":
      return refuse("limit_reached", tooMany(noted.value.of, agentId));
    case "bad_parent":
      return refuse("conflict", `parent_session_id: ${badParent(noted.value.why, heartbeat)}`);
    case "busy":
      return refuse("unavailable", BUSY);
    case "recorded":
      return { kind: "ok", value: supervisionAnswer(ports, noted.value.session) };
    case "noted": {
      const { reauthenticated } = noted.value;
      const session = { ...beat, severity, reauthenticated, endedAtMs: null };
      return { kind: "ok", value: supervisionAnswer(ports, session) };
    }
  }
}

function badParent(
  why: "circular" | "too_long",
  { session_id: sessionId, parent_session_id: parentSessionId }: Heartbeat,
): string {
  const parent = `session ${parentSessionId ?? ""}`;
  return why === "circular"
    ? `${parent} descends from session ${sessionId}, so it cannot be its parent. The heartbeat does NOT ` +
        "count. Name the session that started this one, or leave the field out."
    : `${parent} has ${String(MAX_PARENTS)} or more above it, and a longer line is not followed. The ` +
        "heartbeat does NOT count. Name a session nearer to the first one.";
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
