import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { StoredHeldCall } from "@svc/store/ports/held-call-store";
import type { ControlPlanePorts } from "../ports.ts";

/** Names the part of the server that ends held calls, as principal of the rows. */
const HELD_CALL_KEEPER = "rogue_detection";

/** How a held call ends. */
export type HeldCallEnding = "released" | "revoked" | "expired";

/** A call without a session follows every session of its agent. */
export function endReason(status: HeldCallEnding, sessionId: string | null): string {
  switch (status) {
    case "released":
      return "the agent recovered";
    case "revoked":
      return sessionId === null
        ? "rogue detection terminated a session of the agent, and the call names no session"
        : "rogue detection terminated the session";
    case "expired":
      return "the agent neither recovered nor was terminated in time";
  }
}

/** Ends a held call, with its audit row. Does nothing for one that has ended. @throws without the store */
export async function endHeldCall(
  { clock, log, heldCalls }: Pick<ControlPlanePorts, "clock" | "log" | "heldCalls">,
  held: StoredHeldCall,
  status: HeldCallEnding,
): Promise<void> {
  const { org, id, namespace, agentId: agent_id, sessionId: session_id, tool } = held;
  const time = clock.now().toISOString();
  const reason = endReason(status, session_id);
  const auditRow = rowText({
    v: AUDIT_ROW_VERSION,
    kind: "held_call",
    time,
    org,
    principal: HELD_CALL_KEEPER,
    action: status,
    held_call_id: id,
    decision_id: formatDecisionId(held.position),
    namespace,
    agent_id,
    session_id,
    tool,
    reason,
  });
  const end = { at: time, by: HELD_CALL_KEEPER, reason };
  if ((await heldCalls.endHeldCall({ org, id, status, end, auditRow })) === "moved") return;
  log.info({ org, held_call_id: id, agent_id, session_id, tool }, `held call ${status}`);
}
