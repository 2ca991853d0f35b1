import type { ApprovalRecord, RefuseApproval } from "@svc/contract/approval";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import type { Outcome } from "../refusal.ts";
import { viewApproval } from "./approval-view.ts";
import { changeApproval, type ResolutionPorts } from "./change-approval.ts";
import { logApproval } from "./log-approval.ts";
import { refuseEnded, refuseReader, refuseResolver } from "./refuse-approval.ts";

/** Ends an approval, so that the call does not run. One deny suffices, whatever the workflow requires. */
export async function denyApproval(
  ports: ResolutionPorts,
  principal: Principal,
  { id, reason }: RefuseApproval & { readonly id: string },
): Promise<Outcome<ApprovalRecord>> {
  const actor = { org: principal.org, principal: principal.id };
  const changed = await changeApproval(ports, actor, id, (approval, now) => {
    const refusal =
      refuseReader(principal, approval) ??
      refuseResolver(principal, approval) ??
      refuseEnded(ports, principal, approval);
    if (refusal !== null) return refusal;
    const end = { at: now.toISOString(), by: principal.id, reason: maskSecretsInText(reason) };
    const vote = { decision: "deny", ...end } as const;
    const state = { ...approval.state, votes: [...approval.state.votes, vote], end };
    return { kind: "step", action: "denied", status: "denied", state, grant: null, reason };
  });
  if (changed.kind === "problem") return changed;
  logApproval(ports.log, "approval denied", { principal: principal.id, approval: changed.approval });
  return viewApproval(ports, principal, changed.approval);
}
