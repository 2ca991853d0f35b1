import type { ArgsEdit } from "@svc/contract/args-edit";
import { parseJson } from "@svc/text/parse-json";
import type { Selectable } from "kysely";
import type { ApprovalState, StoredApproval, StoredGrant } from "../ports/approval-store.ts";
import type { Tables } from "./tables.ts";

export function storedApproval(row: Selectable<Tables["approvals"]>): StoredApproval {
  return {
    org: row.org,
    id: row.id,
    binding: row.binding,
    namespace: row.namespace,
    agentId: row.agent_id,
    sessionId: row.session_id,
    tool: row.tool,
    policyId: row.policy_id,
    policyVersion: row.policy_version,
    ruleId: row.rule_id,
    workflowId: row.workflow_id,
    requestedBy: row.requested_by,
    position: { logId: row.log_id, seq: row.seq },
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    status: row.status,
    version: row.version,
    state: { ...EARLIER, ...(parseJson(row.state) as ApprovalState) },
  };
}

/** What the states of earlier programs lack. */
const EARLIER: Pick<ApprovalState, "holdsFor" | "revoked"> = {
  holdsFor: { scope: "session", covers: [] },
  revoked: null,
};

export function storedGrant(row: Selectable<Tables["grants"]>): StoredGrant {
  const { used_log_id: logId, used_seq: seq } = row;
  return {
    approvalId: row.approval_id,
    binding: row.binding,
    expiresAtMs: row.expires_at_ms,
    approvers: parseJson(row.approvers) as string[],
    edit: row.edit === null ? null : (parseJson(row.edit) as ArgsEdit),
    maxUses: row.max_uses,
    uses: row.uses,
    usedBy: logId === null || seq === null ? null : { logId, seq },
    usedAtMs: row.used_at_ms,
  };
}
