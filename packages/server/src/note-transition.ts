import type { NotifySeverity } from "@svc/control-plane/severity-notice";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import type { OpenedSupervision } from "./open-supervision.ts";

export interface NoteParts {
  readonly opened: Pick<OpenedSupervision, "metrics">;
  readonly notify: NotifySeverity;
}

/** Counts a stored change of a severity, and tells people. They hear of nothing that is not stored. */
export function noteTransition(
  { opened, notify }: NoteParts,
  { before, after }: { readonly before: SupervisedSession; readonly after: SupervisedSession },
): void {
  const { org, namespace, agentId, sessionId, severity, reason, missedHeartbeats } = after;
  opened.metrics.transitions.inc({ from: before.severity, to: severity });
  const session = { org, namespace, agent_id: agentId, session_id: sessionId };
  const change = { previous_severity: before.severity, severity, reason };
  notify({ ...session, ...change, missed_heartbeats: missedHeartbeats });
}
