import { formatDecisionId } from "@svc/contract/decision-id";
import type { HeldCallRecord, HeldCallStatus } from "@svc/contract/held-call";
import type { StoredHeldCall } from "@svc/store/ports/held-call-store";
import type { ControlPlanePorts } from "../ports.ts";
import { endReason } from "./end-held-call.ts";

/** A held call as it is shown. */
export function viewHeldCall(
  { clock, publicUrl }: Pick<ControlPlanePorts, "clock" | "publicUrl">,
  held: StoredHeldCall,
): HeldCallRecord {
  const expires_at = new Date(held.expiresAtMs).toISOString();
  const status = statusAt(held, clock.now().getTime());
  const reason = endReason("expired", held.sessionId);
  const byTime = status === "expired" ? { at: expires_at, by: null, reason } : null;
  const end = held.end ?? byTime;
  return {
    id: held.id,
    status,
    approval_url: `${publicUrl}/approvals/${held.id}`,
    org_id: held.org,
    namespace: held.namespace,
    agent_id: held.agentId,
    session_id: held.sessionId,
    tool: held.tool,
    decision_id: formatDecisionId(held.position),
    requested_by: held.requestedBy,
    held_at: new Date(held.heldAtMs).toISOString(),
    expires_at,
    ended_at: end?.at ?? null,
    ended_by: end?.by ?? null,
    end_reason: end?.reason ?? null,
  };
}

/** Where a held call stands now, whether or not its end by time was written down. */
function statusAt({ status, expiresAtMs }: StoredHeldCall, atMs: number): HeldCallStatus {
  return status === "held" && expiresAtMs <= atMs ? "expired" : status;
}
