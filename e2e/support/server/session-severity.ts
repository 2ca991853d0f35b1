import type { Severity } from "@svc/contract/severity";
import type { Store } from "@svc/store/ports/store";
import { expect } from "vitest";

/**
 * Gives session `s-1` of `agent-1` a severity as the supervisor does it: with a control event and a row. A
 * server that supervises may have changed the session since it was read; then it is read again.
 */
export async function setSeverity(store: Store, severity: Severity): Promise<void> {
  const change = async () => (await changeOnce(store, severity))?.kind;
  await expect.poll(change, { interval: 20 }).toBe("changed");
}

async function changeOnce({ supervision }: Store, severity: Severity) {
  const name = { org: "default", agentId: "agent-1", sessionId: "s-1" };
  const beat = { namespace: "default", parentSessionId: null, parentAgentId: null, ended: false, ageMs: 0 };
  const known = await supervision.session(name);
  if (known === null) await supervision.recordHeartbeats([{ ...name, ...beat }]);
  const session = await supervision.session(name);
  if (session === null) throw new Error("expected a supervised session");
  const [changed] = await supervision.changeSeverities([
    {
      ...name,
      version: session.version,
      severity,
      reason: "heartbeats were missed",
      missedHeartbeats: 4,
      orphaned: "keep",
      clears: false,
      ends: false,
      auditRow: JSON.stringify({
        v: 1,
        kind: "severity",
        time: new Date().toISOString(),
        org: "default",
        principal: "rogue_detection",
        agent_id: "agent-1",
        session_id: "s-1",
        namespace: "default",
        previous_severity: session.severity,
        severity,
        reason: "heartbeats were missed",
        trigger_source: "rogue_detection",
        missed_heartbeats: 4,
      }),
    },
  ]);
  return changed;
}
