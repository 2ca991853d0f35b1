import { rowText } from "@svc/audit-log/row-text";
import { type ApprovalRow, AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { formatDecisionId } from "@svc/contract/decision-id";
import { MAX_COVERED_CALLS } from "@svc/contract/limits";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import type { ApprovalState, StoredApproval } from "@svc/store/ports/approval-store";

export interface ApprovalRowFacts {
  readonly action: ApprovalRow["action"];
  /** Id of the key, or the part of the server that acts. */
  readonly principal: string;
  /** RFC 3339. */
  readonly time: string;
  readonly reason: string;
  /** After the step. */
  readonly state: ApprovalState;
}

/** The audit row of a step of this approval, as text to store. Names in an approval are masked already. */
export function approvalRow(approval: StoredApproval, facts: ApprovalRowFacts): string {
  const { action, principal, time, reason, state } = facts;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "approval",
    time,
    org: approval.org,
    principal,
    action,
    approval_id: approval.id,
    decision_id: formatDecisionId(approval.position),
    namespace: approval.namespace,
    agent_id: approval.agentId,
    session_id: approval.sessionId,
    tool: approval.tool,
    reason: maskSecretsInText(reason),
    approvals: approvalsOf(state),
    required: requiredOf(state),
    edited_args_digest: state.proposal?.digest ?? null,
    ...holdsForOf(approval),
    by_requester: principal === approval.requestedBy,
  });
}

function holdsForOf({ state }: StoredApproval): Pick<ApprovalRow, "holds_for"> {
  const { scope, covers } = state.holdsFor;
  const isOneCall = scope === "session" && covers.length === 0;
  return isOneCall ? {} : { holds_for: { scope, covers, max_uses: maxUsesOf(state) } };
}

/** How many calls a grant lets pass. */
export function maxUsesOf({ holdsFor }: Pick<ApprovalState, "holdsFor">): number {
  return holdsFor.covers.length === 0 ? 1 : MAX_COVERED_CALLS;
}

/** How many keys have approved. */
export function approvalsOf({ votes }: ApprovalState): number {
  return votes.filter(({ decision }) => decision === "approve").length;
}

/** How many keys must approve. */
export function requiredOf({ workflow }: ApprovalState): number {
  return workflow?.required ?? 1;
}
