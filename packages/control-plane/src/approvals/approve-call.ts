import type { ApprovalRecord, ApproveRequest } from "@svc/contract/approval";
import { editBetween } from "@svc/contract/args-edit";
import { GRANT_LIFETIME_MS, MAX_ROW_ARGS_BYTES } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import { maskSecrets, maskSecretsInText } from "@svc/engine/mask-secrets";
import type { ApprovalProposal, ApprovalState, StoredApproval } from "@svc/store/ports/approval-store";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { callStore, NOT_READ } from "../call-store.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { approvalsOf, maxUsesOf, requiredOf } from "./approval-row.ts";
import { shownCall, viewApproval } from "./approval-view.ts";
import { type ApprovalStep, changeApproval, type ResolutionPorts } from "./change-approval.ts";
import { logApproval } from "./log-approval.ts";
import { refuseNotPending, refuseReader, refuseResolver } from "./refuse-approval.ts";
import { replacedText } from "./void-approvals.ts";

/**
 * One approval of a paused call. When it is the last that is needed, the call has a grant: the agent can
 * repeat it once. Edited arguments bind the grant as well, and the policy judges them when the grant is used.
 */
export async function approveCall(
  ports: ResolutionPorts,
  principal: Principal,
  { id, ...request }: ApproveRequest & { readonly id: string },
): Promise<Outcome<ApprovalRecord>> {
  const actor = { org: principal.org, principal: principal.id };
  const changed = await changeApproval(ports, actor, id, async (approval, now) => {
    const refusal =
      refuseReader(principal, approval) ??
      refuseResolver(principal, approval) ??
      refuseNotPending(ports, principal, approval) ??
      refuseSecondVote(principal, approval) ??
      refuseWideEdit(approval, request) ??
      (await refuseRevokedVote(ports, approval)) ??
      (await refuseOldPolicy(ports, approval));
    if (refusal !== null) return refusal;
    const proposed = await proposalOf(ports, approval, request.args);
    return proposed.kind === "problem"
      ? proposed
      : approvalStep(principal, approval, { ...request, now, proposed });
  });
  if (changed.kind === "problem") return changed;
  const { approval, step } = changed;
  const message = step.status === "approved" ? "approval approved" : "approval voted on";
  logApproval(ports.log, message, { principal: principal.id, approval });
  return viewApproval(ports, principal, approval);
}

interface Approving extends ApproveRequest {
  readonly now: Date;
  readonly proposed: { readonly proposal: ApprovalProposal | null };
}

function approvalStep(
  { id }: Principal,
  { state }: StoredApproval,
  { reason, now, proposed: { proposal } }: Approving,
): ApprovalStep {
  const at = now.toISOString();
  const vote = { decision: "approve", by: id, reason: maskSecretsInText(reason), at } as const;
  const voted: ApprovalState = { ...state, proposal, votes: [...state.votes, vote] };
  if (approvalsOf(voted) < requiredOf(voted))
    return { kind: "step", action: "voted", status: "pending", state: voted, grant: null, reason };
  const grant = {
    expiresAtMs: now.getTime() + GRANT_LIFETIME_MS,
    approvers: voted.votes.map(({ by }) => by),
    edit: proposal?.edit ?? null,
    maxUses: maxUsesOf(voted),
  };
  const ended = { ...voted, end: { at, by: id, reason: vote.reason } };
  return { kind: "step", action: "approved", status: "approved", state: ended, grant, reason };
}

function refuseSecondVote({ id }: Principal, approval: StoredApproval): Refusal | null {
  if (!approval.state.votes.some(({ by }) => by === id)) return null;
  const missing = requiredOf(approval.state) - approvalsOf(approval.state);
  return refuse(
    "conflict",
    `Key ${id} has approved this already. Approvals of other keys are missing: ${String(missing)}.`,
  );
}

/** Edited arguments are those of the paused call, and no other call may run with them. */
function refuseWideEdit(
  { state: { holdsFor } }: StoredApproval,
  { args }: Pick<ApproveRequest, "args">,
): Refusal | null {
  if (args === null || holdsFor.covers.length === 0) return null;
  return refuse(
    "conflict",
    `This approval also holds for calls with other arguments (covers: ${holdsFor.covers.join(", ")}), so ` +
      "the arguments cannot be edited. Approve the call as it was asked, or deny it.",
  );
}

/** A grant that a revoked key has approved would be void. */
async function refuseRevokedVote(
  ports: ResolutionPorts,
  { state: { votes } }: StoredApproval,
): Promise<Refusal | null> {
  for (const { by } of votes) {
    const found = await callStore(ports, NOT_READ, () => ports.keys.key(by));
    if (found.kind === "problem") return found;
    if (found.value === null || found.value.revoked_at === null) continue;
    return refuse(
      "conflict",
      `Key ${by} approved this and was revoked since, so a grant would be void. Deny or cancel the ` +
        "approval, and let the agent ask again.",
    );
  }
  return null;
}

async function refuseOldPolicy(ports: ResolutionPorts, approval: StoredApproval): Promise<Refusal | null> {
  const { org, policyId, policyVersion } = approval;
  const found = await callStore(ports, NOT_READ, () => ports.policies.latestPolicy(org, policyId));
  if (found.kind === "problem") return found;
  const version = found.value?.record.version ?? null;
  return version === policyVersion ? null : refuse("conflict", replacedText(approval, version));
}

type Proposed = { readonly kind: "proposed"; readonly proposal: ApprovalProposal | null } | Refusal;

type ReadEdit =
  | { readonly kind: "proposed"; readonly proposal: ApprovalProposal; readonly isAsAsked: boolean }
  | Refusal;

/** Every approval of a workflow must be of the same arguments. */
async function proposalOf(
  ports: ResolutionPorts,
  approval: StoredApproval,
  args: JsonObject | null,
): Promise<Proposed> {
  const { votes, proposal: earlier } = approval.state;
  if (args === null) {
    if (earlier === null) return { kind: "proposed", proposal: null };
    return refuse(
      "conflict",
      "An earlier approval has edited the arguments. Send the same args, or deny. They are: " +
        `${canonicalJson(earlier.shown)}`,
    );
  }
  const proposed = await readEdit(ports, approval, args);
  if (proposed.kind === "problem" || votes.length === 0) return proposed;
  if (earlier === null && proposed.isAsAsked) return { kind: "proposed", proposal: null };
  if (earlier !== null && earlier.digest === proposed.proposal.digest) return proposed;
  return refuse("conflict", "The earlier approvals are of other arguments. Send the same, or deny.");
}

async function readEdit(
  ports: ResolutionPorts,
  approval: StoredApproval,
  args: JsonObject,
): Promise<ReadEdit> {
  const canonical = canonicalJson(args);
  if (Buffer.byteLength(canonical) > MAX_ROW_ARGS_BYTES)
    return refuse("body_too_large", `args: expected at most ${String(MAX_ROW_ARGS_BYTES)} bytes`);
  const call = await shownCall(ports, approval);
  if (call.kind === "problem") return call;
  const { args: shown, isMasked } = call.value;
  if (shown === null)
    return refuse("conflict", "The log does not hold the arguments any more, so they cannot be edited.");
  const edited = editBetween(shown, args, isMasked);
  if (edited.kind !== "edit")
    return edited.kind === "hidden" ? refuseHidden(edited.pointer) : refuseMovedMask(edited.pointer);
  const digest = ports.digest(canonical);
  const proposal = { edit: edited.edit, shown: maskSecrets(args, canonical), digest };
  return { kind: "proposed", proposal, isAsAsked: canonical === canonicalJson(shown) };
}

function refuseMovedMask(pointer: string): Refusal {
  const entry = {
    pointer: `/args${pointer}`,
    expected: "a value of your own, or the masked value at its own place",
    found: "a mask, which stands for a value that nobody sees here",
  };
  return refuse("invalid_request", "The call would run with the mask in place of a value.", [entry]);
}

function refuseHidden(pointer: string): Refusal {
  const entry = {
    pointer: `/args${pointer}`,
    expected: "changes of single values, because some values of this call are masked",
    found: "another object or list in place of one that may hold masked values",
  };
  const detail =
    "The approval shows masked values, which an edit must leave as they are. Change single values, add or " +
    "remove members, and keep the length of lists.";
  return refuse("invalid_request", detail, [entry]);
}
