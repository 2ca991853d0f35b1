import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type LegalHoldRow } from "@svc/contract/audit-row";
import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";

export interface LegalHoldRowFacts {
  readonly action: LegalHoldRow["action"];
  readonly principal: Principal;
  readonly time: string;
  readonly record: Pick<LegalHoldRecord, "id" | "reason" | "agent_id" | "session_id" | "namespace">;
}

/** The audit row of a hold that is placed or lifted, as text to store. */
export function legalHoldRow({ action, principal, time, record }: LegalHoldRowFacts): string {
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "legal_hold",
    time,
    org: principal.org,
    principal: principal.id,
    action,
    legal_hold_id: record.id,
    reason: maskSecretsInText(record.reason),
    agent_id: masked(record.agent_id),
    session_id: masked(record.session_id),
    namespace: masked(record.namespace),
  });
}

function masked(identifier: string | null): string | null {
  return identifier === null ? null : maskSecretsInIdentifier(identifier);
}
