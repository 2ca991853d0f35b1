import type { ApprovalRecord } from "@svc/contract/approval";
import { type Member, renderMembers } from "../frame/render-members.ts";
import type { Emphasis, Piece } from "../frame/text.ts";
import { timeLeft } from "../frame/time-left.ts";

/** All of an approval, for people. */
export function approvalText(approval: ApprovalRecord, nowMs: number): Piece[] {
  const { status, session_id, namespace, rule_id, policy_id, policy_version, decision_id } = approval;
  const members: Member[] = [
    ["approval", approval.id],
    ["status", statusText(approval), EMPHASES[status]],
    ...(approval.void_because === null ? [] : [["void", approval.void_because, "bad"] as const]),
    ["agent", `${approval.agent_id} (namespace ${namespace}, key ${approval.requested_by})`],
    ["session", session_id ?? "none"],
    ["tool", approval.tool],
    ["arguments", argsText(approval)],
    ...(approval.edited_args === null ? [] : [["edited to", jsonLines(approval.edited_args)] as const]),
    ["reason", approval.reason],
    ["rule", `${rule_id ?? "none"}, policy ${policy_id} version ${String(policy_version)}`],
    ["decision", decision_id],
    ["asked", approval.requested_at],
    ["expires", timeLeft(approval.expires_at, nowMs)],
    ["approvals", approvalsText(approval)],
    ...approval.votes.map(
      ({ decision, by, at, reason }) => ["", `${decision} by ${by} at ${at}: ${reason}`] as const,
    ),
    ...grantMembers(approval),
    ["page", approval.approval_url],
  ];
  return renderMembers(members);
}

const EMPHASES = {
  pending: "warning",
  suspended: "warning",
  approved: "good",
  denied: "bad",
  expired: "bad",
  cancelled: "bad",
} as const satisfies Record<ApprovalRecord["status"], Emphasis>;

/** Where an approval stands, and who or what brought it there. */
export function statusText(approval: ApprovalRecord): string {
  const { status, resolved_at: at, resolved_by: by, resolution, suspended_because: why } = approval;
  if (at !== null) return `${status} at ${at} by ${by ?? "?"}: ${resolution ?? "no reason"}`;
  return status === "suspended" ? `suspended: ${why ?? "its agent is suspended"}` : status;
}

const UNSEEN = "Some values are masked: an approval approves them unseen";

function argsText({ args, args_masked: isMasked }: ApprovalRecord): string {
  if (args === null) return "removed from the log after their retention time";
  return `${jsonLines(args)}${isMasked ? `\n${UNSEEN}` : ""}`;
}

function jsonLines(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function approvalsText({ votes, required, workflow }: ApprovalRecord): string {
  const given = votes.filter(({ decision }) => decision === "approve").length;
  const under = workflow === null ? "" : `, workflow ${workflow.id} version ${String(workflow.version)}`;
  return `${String(given)} of ${String(required)}${under}`;
}

function grantMembers({ grant }: ApprovalRecord): readonly Member[] {
  if (grant === null) return [];
  const { used_by: usedBy, expires_at: end } = grant;
  return [["grant", usedBy === null ? `for one call until ${end}` : `used by decision ${usedBy}`]];
}
