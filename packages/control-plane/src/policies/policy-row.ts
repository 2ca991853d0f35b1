import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type PolicyRow } from "@svc/contract/audit-row";
import { digestOfText } from "@svc/contract/digest-of";
import type { PolicyRecord } from "@svc/contract/policy-record";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInIdentifier } from "@svc/engine/mask-secrets";
import type { ReadDocument } from "./read-document.ts";

export interface VersionRowFacts {
  readonly action: "created" | "updated" | "rolled_back";
  readonly principal: Principal;
  readonly record: PolicyRecord;
  readonly document: ReadDocument;
}

/** The audit row of a new version, as text to store. */
export function versionRow({ action, principal, record, document }: VersionRowFacts): string {
  const { agentId } = document.policy;
  const row: PolicyRow = {
    v: AUDIT_ROW_VERSION,
    kind: "policy",
    time: record.created_at,
    org: principal.org,
    principal: principal.id,
    action,
    policy_id: record.id,
    policy_version: record.version,
    document_digest: digestOfText(document.source),
    mode: document.policy.mode,
    rolled_back_to: record.rolled_back_to,
    agent_id: agentId === null ? null : maskSecretsInIdentifier(agentId),
    namespace: null,
  };
  return rowText(row);
}
