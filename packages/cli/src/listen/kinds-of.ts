import type { AuditRow } from "@svc/contract/audit-row";
import type { WebhookType } from "@svc/contract/webhook-event";

/** Which rows make an event. */
const KINDS: Readonly<Record<WebhookType, AuditRow["kind"]>> = {
  "policy.decision": "decision",
  "approval.requested": "decision",
  "approval.resolved": "approval",
  "killswitch.activated": "kill_switch",
  "agent.registered": "agent",
  "agent.severity_changed": "severity",
  "agent.anomaly": "anomaly",
};

/** The kinds of rows that these events are made of, for the query of the event stream. */
export function kindsOf(types: readonly WebhookType[]): string {
  return [...new Set(types.map((type) => KINDS[type]))].join(",");
}
