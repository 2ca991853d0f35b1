import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInIdentifier } from "@svc/engine/mask-secrets";
import { maskedWhy } from "../policies/policy-row.ts";

export interface AssignmentRowFacts {
  readonly action: "assigned" | "unassigned";
  readonly principal: Principal;
  readonly time: string;
  readonly why: string | null;
}

/** The audit row of a binding that was made or removed, as text to store. */
export function assignmentRow(
  { policy_id, agent_id, namespace_id }: PolicyAssignmentRecord,
  { action, principal, time, why }: AssignmentRowFacts,
): string {
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "policy",
    time,
    org: principal.org,
    principal: principal.id,
    action,
    policy_id,
    policy_version: null,
    document_digest: null,
    mode: null,
    rolled_back_to: null,
    agent_id: maskNullable(agent_id),
    namespace: maskNullable(namespace_id),
    why: maskedWhy(why),
    labels: null,
  });
}

function maskNullable(identifier: string | null): string | null {
  return identifier === null ? null : maskSecretsInIdentifier(identifier);
}
