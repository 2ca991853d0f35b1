import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import type { GuardrailRecord } from "@svc/contract/guardrail";
import type { GuardrailRow } from "@svc/contract/guardrail-row";
import type { Principal } from "@svc/contract/principal";
import { canonicalJson } from "@svc/text/canonical-json";
import { digestOfText } from "@svc/text/digest-of";
import type { JsonObject } from "@svc/text/json-value";
import { maskedWhy } from "../policies/policy-row.ts";

export interface GuardrailRowFacts {
  readonly action: GuardrailRow["action"];
  readonly principal: Principal;
  readonly time: string;
  readonly why: string | null;
  /** The versions of policies that the change makes. */
  readonly policies?: readonly { readonly id: string; readonly version: number }[];
}

/** The audit row of a change of a guardrail, as text to store. */
export function guardrailRow(
  { id, version, description, detectors, patterns, allow }: GuardrailRecord,
  { action, principal, time, why, policies = [] }: GuardrailRowFacts,
): string {
  const definition = { description, detectors, patterns, allow } as unknown as JsonObject;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "guardrail",
    time,
    org: principal.org,
    principal: principal.id,
    action,
    guardrail_id: id,
    version,
    definition_digest: digestOfText(canonicalJson(definition)),
    detectors,
    patterns: patterns.map(({ name }) => name),
    allowed: allow.length,
    policies: policies.map((policy) => `${policy.id}@${String(policy.version)}`),
    why: maskedWhy(why),
  });
}
