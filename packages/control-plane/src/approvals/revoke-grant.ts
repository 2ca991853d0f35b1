import type { ApprovalRecord, RefuseApproval } from "@svc/contract/approval";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import { callStore, NOT_READ } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { approvalRow } from "./approval-row.ts";
import { viewApproval } from "./approval-view.ts";
import type { ResolutionPorts } from "./change-approval.ts";
import { logApproval } from "./log-approval.ts";
import { refuseReader } from "./refuse-approval.ts";

/** Attempts while others revoke the same grant. The first of them that is stored ends the attempts of all. */
const MAX_TRIES = 3;

const NOT_REVOKED =
  "The store did not confirm the change. Read the approval: its grant says whether it is revoked.";

/**
 * Takes back what is left of the grant of an approval. A grant that is used up is revoked too: a call that
 * did not run gives its use back, and no later call may have it.
 * @returns null when it has no grant, when its grant is revoked or over, or when this key may not know of it
 */
export async function revokeGrant(
  ports: ResolutionPorts,
  principal: Principal,
  { id, reason }: RefuseApproval & { readonly id: string },
): Promise<Outcome<ApprovalRecord> | null> {
  const { org } = principal;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await callStore(ports, NOT_READ, () => ports.approvals.approval(org, id));
    if (found.kind === "problem") return found;
    const approval = found.value;
    if (approval === null || approval.status !== "approved") return null;
    if (refuseReader(principal, approval) !== null) return null;
    const granted = await callStore(ports, NOT_READ, () => ports.approvals.grant(org, id));
    if (granted.kind === "problem") return granted;
    const now = ports.clock.now();
    const atMs = now.getTime();
    const grant = granted.value;
    const { state: before, version } = approval;
    if (grant === null || before.revoked !== null || !(atMs < grant.expiresAtMs)) return null;
    const at = now.toISOString();
    const revoked = { at, by: principal.id, reason: maskSecretsInText(reason) };
    const state = { ...before, revoked };
    const facts = { action: "revoked", principal: principal.id, time: at, reason, state } as const;
    const change = { org, id, version, state, atMs, auditRow: approvalRow(approval, facts) };
    const stored = await callStore(ports, NOT_REVOKED, () => ports.approvals.revokeGrant(change));
    if (stored.kind === "problem") return stored;
    if (stored.value !== "changed") continue;
    ports.approvalWaits.announce(org, id);
    const changed = { ...approval, version: version + 1, state };
    logApproval(ports.log, "approval revoked", { principal: principal.id, approval: changed });
    return viewApproval(ports, principal, changed);
  }
  return refuse("conflict", `Approval ${id} is being revoked by others. Read it, and try again.`);
}
