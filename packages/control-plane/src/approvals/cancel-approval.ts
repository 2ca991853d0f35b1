import type { ApprovalRecord, RefuseApproval } from "@svc/contract/approval";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import type { Outcome } from "../refusal.ts";
import { viewApproval } from "./approval-view.ts";
import { changeApproval, type ResolutionPorts } from "./change-approval.ts";
import { logApproval } from "./log-approval.ts";
import { refuseEnded, refuseReader } from "./refuse-approval.ts";
import { revokeGrant } from "./revoke-grant.ts";

/**
 * Ends an approval that is not needed any more: by an operator, or by the key that asked. One that was given
 * loses what calls have not used.
 */
export async function cancelApproval(
  ports: ResolutionPorts,
  principal: Principal,
  { id, reason }: RefuseApproval & { readonly id: string },
): Promise<Outcome<ApprovalRecord>> {
  const revoked = await revokeGrant(ports, principal, { id, reason });
  if (revoked !== null) return revoked;
  const actor = { org: principal.org, principal: principal.id };
  const changed = await changeApproval(ports, actor, id, (approval, now) => {
    const refusal = refuseReader(principal, approval) ?? refuseEnded(ports, principal, approval);
    if (refusal !== null) return refusal;
    const end = { at: now.toISOString(), by: principal.id, reason: maskSecretsInText(reason) };
    const state = { ...approval.state, end };
    return { kind: "step", action: "cancelled", status: "cancelled", state, grant: null, reason };
  });
  if (changed.kind === "problem") return changed;
  logApproval(ports.log, "approval cancelled", { principal: principal.id, approval: changed.approval });
  return viewApproval(ports, principal, changed.approval);
}
