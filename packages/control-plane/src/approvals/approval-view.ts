import { parseJsonObject } from "@svc/audit-log/parse-json-object";
import type { ApprovalItem, ApprovalRecord } from "@svc/contract/approval";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { Principal } from "@svc/contract/principal";
import type { ApprovalState, StoredApproval, StoredGrant } from "@svc/store/ports/approval-store";
import { canonicalJson } from "@svc/text/canonical-json";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { maxUsesOf, requiredOf } from "./approval-row.ts";
import { APPROVAL_EXPIRY, EXPIRED } from "./expire-approval.ts";
import { statusAt } from "./status-at.ts";
import { readVoid } from "./void-approvals.ts";
import { whySuspended } from "./why-suspended.ts";

/** What an approval shows of its call, from the row that opened it. */
export interface ShownCall {
  /** Null: the log does not hold the row any more. */
  readonly args: JsonObject | null;
  readonly isMasked: boolean;
  readonly callDigest: string | null;
  readonly reason: string;
}

type ViewPorts = Pick<
  ControlPlanePorts,
  "clock" | "log" | "approvals" | "rows" | "digest" | "publicUrl" | "supervised" | "policies"
>;

/** The approval as it is shown to this key, with what its row and its grant say. */
export async function viewApproval(
  ports: ViewPorts,
  principal: Pick<Principal, "scopes">,
  approval: StoredApproval,
): Promise<Outcome<ApprovalRecord>> {
  const call = await shownCall(ports, approval);
  if (call.kind === "problem") return call;
  const granted = await callStore(ports, NOT_READ, () => ports.approvals.grant(approval.org, approval.id));
  if (granted.kind === "problem") return granted;
  const read = await readVoid(ports, [approval]);
  if (read.kind === "problem") return read;
  const { args, isMasked, callDigest, reason } = call.value;
  const item = approvalItem(ports, approval);
  const record = {
    ...item,
    void_because: read.value(approval),
    suspended_because: item.status === "suspended" ? whySuspended(ports, approval, principal) : null,
    args,
    args_masked: isMasked,
    edited_args: approval.state.proposal?.shown ?? null,
    call_digest: callDigest,
    reason,
    grant: granted.value === null ? null : grantView(granted.value, approval),
  };
  return { kind: "ok", value: record };
}

/** The approval as a list shows it, but for what its policy and its grant say now. */
export function approvalItem(
  { clock, publicUrl }: Pick<ControlPlanePorts, "clock" | "publicUrl">,
  approval: StoredApproval,
): Omit<ApprovalItem, "void_because" | "grant"> {
  const status = statusAt(approval, clock.now().getTime());
  const { id, state, expiresAtMs } = approval;
  const expires_at = new Date(expiresAtMs).toISOString();
  const byTime = status === "expired" ? { at: expires_at, by: APPROVAL_EXPIRY, reason: EXPIRED } : null;
  const end = state.end ?? byTime;
  return {
    id,
    status,
    approval_url: `${publicUrl}/approvals/${id}`,
    org_id: approval.org,
    namespace: approval.namespace,
    agent_id: approval.agentId,
    session_id: approval.sessionId,
    tool: approval.tool,
    rule_id: approval.ruleId,
    policy_id: approval.policyId,
    policy_version: approval.policyVersion,
    decision_id: formatDecisionId(approval.position),
    requested_by: approval.requestedBy,
    requested_at: new Date(approval.createdAtMs).toISOString(),
    expires_at,
    workflow: shownWorkflow(state),
    required: requiredOf(state),
    scope: state.holdsFor.scope,
    covers: state.holdsFor.covers,
    max_uses: maxUsesOf(state),
    votes: state.votes,
    resolved_at: end?.at ?? null,
    resolved_by: end?.by ?? null,
    resolution: end?.reason ?? null,
  };
}

function shownWorkflow({ workflow }: ApprovalState): ApprovalItem["workflow"] {
  if (workflow === null) return null;
  const { id, version, name, approvers } = workflow;
  return { id, version, name, approvers };
}

/** What became of a grant. */
export function grantView(
  { expiresAtMs, uses, usedBy, usedAtMs }: StoredGrant,
  { state }: StoredApproval,
): NonNullable<ApprovalRecord["grant"]> {
  return {
    expires_at: new Date(expiresAtMs).toISOString(),
    // An earlier program counts no use.
    uses: usedBy === null ? uses : Math.max(uses, 1),
    used_by: usedBy === null ? null : formatDecisionId(usedBy),
    used_at: usedAtMs === null ? null : new Date(usedAtMs).toISOString(),
    revoked: state.revoked,
  };
}

/** What people may see of the call: the row masks what must not be shown. */
export async function shownCall(
  ports: Pick<ControlPlanePorts, "log" | "rows" | "digest">,
  { position }: StoredApproval,
): Promise<Outcome<ShownCall>> {
  const found = await callStore(ports, NOT_READ, () => ports.rows.row(position));
  if (found.kind === "problem") return found;
  const row = found.value === null ? null : parseJsonObject(Buffer.from(found.value.bytes).toString("utf8"));
  const args = row?.["args"];
  const reason = row?.["reason"];
  const digest = row?.["call_digest"];
  if (!isJsonObject(args)) return { kind: "ok", value: NOTHING_SHOWN };
  const value = {
    args,
    isMasked: ports.digest(canonicalJson(args)) !== row?.["args_digest"],
    callDigest: typeof digest === "string" ? digest : null,
    reason: typeof reason === "string" ? reason : NO_REASON,
  };
  return { kind: "ok", value: value };
}

const NO_REASON = "the audit log does not hold the reason any more";

const NOTHING_SHOWN: ShownCall = { args: null, isMasked: true, callDigest: null, reason: NO_REASON };
