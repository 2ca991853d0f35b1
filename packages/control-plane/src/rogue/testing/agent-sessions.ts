import { OPERATOR, type TestPorts } from "../../testing/test-ports.ts";
import { receiveHeartbeat } from "../receive-heartbeat.ts";

/** A key that is bound to the agent. */
export const AGENT = { ...OPERATOR, id: "key_agent", agents: new Set(["a-1"]) };
export const SESSION = { agent_id: "a-1", session_id: "s-1" };
export const HEARTBEAT = { ...SESSION, parent_session_id: null as string | null, ended: false };

/** A heartbeat, and the time until it is stored. */
export async function beat(ports: TestPorts, principal = AGENT, changes: Partial<typeof HEARTBEAT> = {}) {
  const received = receiveHeartbeat(ports, principal, { ...HEARTBEAT, ...changes });
  await ports.time.advance(500);
  return received;
}

/** Raises the session as the supervisor does. */
export async function raise(ports: TestPorts, severity: "CRITICAL" | "EMERGENCY") {
  const session = await ports.supervision.session({ org: "acme", agentId: "a-1", sessionId: "s-1" });
  if (session === null) throw new Error("expected a session");
  const { org, agentId, sessionId, version } = session;
  const rest = {
    reason: "silent",
    missedHeartbeats: 8,
    orphaned: "keep",
    clears: true,
    ends: false,
  } as const;
  const auditRow = "{}";
  await ports.supervision.changeSeverities([
    { org, agentId, sessionId, version, severity, ...rest, auditRow },
  ]);
  await ports.viewed.catchUp();
}
