import type { NotifySeverity } from "@svc/control-plane/severity-notice";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import type { SupervisionMetrics } from "./supervision-metrics.ts";

export interface NoteParts {
  readonly metrics: SupervisionMetrics;
  readonly notify: NotifySeverity;
}

/** Counts a change of a severity and notifies people. Call it only after the change is stored. */
export function noteTransition(
  { metrics, notify }: NoteParts,
  { before, after }: { readonly before: SupervisedSession; readonly after: SupervisedSession },
): void {
  const { org, namespace, agentId, sessionId, severity, reason, missedHeartbeats } = after;
  metrics.transitions.inc({ from: before.severity, to: severity });
  const session = { org, namespace, agent_id: agentId, session_id: sessionId };
  const change = { previous_severity: before.severity, severity, reason };
  notify({ ...session, ...change, missed_heartbeats: missedHeartbeats });
}
