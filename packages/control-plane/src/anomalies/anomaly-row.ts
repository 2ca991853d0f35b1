import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { maskSecretsInIdentifier } from "@svc/engine/mask-secrets";
import { ROGUE_DETECTION } from "../rogue/severity-row.ts";

/**
 * The audit row of an anomaly, as text to store. Its sentence and its evidence come from rows of calls, in
 * which secrets are masked already.
 */
export function anomalyRow(observed: ObservedAnomaly, time: string): string {
  const { org, agentId, sessionId, namespace, anomaly, explanation, evidence } = observed;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "anomaly",
    time,
    org,
    principal: ROGUE_DETECTION,
    agent_id: maskSecretsInIdentifier(agentId),
    session_id: sessionId === null ? null : maskSecretsInIdentifier(sessionId),
    namespace: maskSecretsInIdentifier(namespace),
    anomaly,
    explanation,
    evidence,
  });
}
