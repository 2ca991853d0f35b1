import type { ApprovalItem, ApprovalRecord } from "@svc/contract/approval";
import { holdsForText } from "@svc/contract/holds-for-text";
import { type Member, renderMembers } from "../frame/tables.ts";
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
    ["holds for", holdsFor(approval)],
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

function grantMembers(approval: ApprovalRecord): readonly Member[] {
  const { grant } = approval;
  if (grant === null) return [];
  const by = grant.used_by === null ? "" : ` by decision ${grant.used_by}`;
  return [["grant", `${grantText(approval, Date.now()) ?? ""}${by}`]];
}

/** Which calls an approval is for. */
export function holdsFor({ scope, covers, agent_id, session_id }: ApprovalItem): string {
  return holdsForText({ scope, covers, agentId: agent_id, sessionId: session_id });
}

/** What became of the grant, or until when calls can use it; null: there is none. */
export function grantText({ grant, max_uses }: ApprovalItem, nowMs: number): string | null {
  if (grant === null) return null;
  const { expires_at, revoked, used_at, used_by, uses } = grant;
  const counted = max_uses === 1 ? "" : `${String(uses)} of ${String(max_uses)} calls made, `;
  const used = counted === "" && used_by !== null ? "used, then " : counted;
  if (revoked !== null) return `${used}revoked at ${revoked.at}`;
  if (used_by !== null) return used_at === null ? "used" : `used at ${used_at}`;
  return Date.parse(expires_at) <= nowMs
    ? `${counted === "" ? "unused, " : counted}ended ${expires_at}`
    : `${counted}usable until ${expires_at}`;
}
