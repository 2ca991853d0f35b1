import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type PolicyRow } from "@svc/contract/audit-row";
import type { PolicyVersionRecord } from "@svc/contract/policy";
import type { LabelChanges } from "@svc/contract/policy-labels";
import type { Principal } from "@svc/contract/principal";
import { maskSecrets, maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";
import { digestOfText } from "@svc/text/digest-of";
import type { ReadDocument } from "./read-document.ts";

export interface VersionRowFacts {
  readonly action: "created" | "updated" | "rolled_back";
  readonly principal: Principal;
  readonly record: PolicyVersionRecord;
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
    why: maskedWhy(record.why),
    labels: null,
    ...(record.guardrails === undefined ? {} : { guardrails: record.guardrails }),
  };
  return rowText(row);
}

export interface StateRowFacts {
  readonly action: "enabled" | "disabled" | "archived" | "labelled";
  readonly principal: Principal;
  readonly policyId: string;
  readonly time: string;
  readonly why: string | null;
  readonly labels?: LabelChanges;
}

/** The audit row of a change that makes no version, as text to store. */
export function stateRow({ action, principal, policyId, time, why, labels }: StateRowFacts): string {
  const row: PolicyRow = {
    v: AUDIT_ROW_VERSION,
    kind: "policy",
    time,
    org: principal.org,
    principal: principal.id,
    action,
    policy_id: policyId,
    policy_version: null,
    document_digest: null,
    mode: null,
    rolled_back_to: null,
    agent_id: null,
    namespace: null,
    why: maskedWhy(why),
    labels: labels === undefined ? null : maskSecrets(labels, JSON.stringify(labels)),
  };
  return rowText(row);
}

/** A reason as a row may keep it. */
export function maskedWhy(why: string | null): string | null {
  return why === null ? null : maskSecretsInText(why);
}
