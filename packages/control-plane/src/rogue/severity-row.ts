import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { maskSecretsInIdentifier } from "@svc/engine/mask-secrets";
import type { Transition } from "./step-writer.ts";

/** Names rogue detection as principal, as actor and as trigger source. */
export const ROGUE_DETECTION = "rogue_detection";

/** The audit row of one step of one session, as text to store. */
export function severityRow({ session, step }: Transition, time: string): string {
  const { org, agentId, sessionId, namespace, severity } = session;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "severity",
    time,
    org,
    principal: ROGUE_DETECTION,
    agent_id: maskSecretsInIdentifier(agentId),
    session_id: maskSecretsInIdentifier(sessionId),
    namespace: maskSecretsInIdentifier(namespace),
    previous_severity: severity,
    severity: step.severity,
    reason: step.reason,
    trigger_source: ROGUE_DETECTION,
    missed_heartbeats: step.missedHeartbeats,
  });
}
