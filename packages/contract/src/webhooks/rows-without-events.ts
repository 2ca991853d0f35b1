import type { RowName } from "./row-name.ts";
import type { WebhookRowName } from "./webhook-event.ts";

/** The compiler demands a line for each row that no kind of event is made of, and refuses any other. */
const WITHOUT_EVENTS: Readonly<Record<Exclude<RowName, WebhookRowName>, true>> = {
  "agent.quarantine_expired": true,
  "agent.quarantine_extended": true,
  "agent.quarantine_lifted": true,
  "agent.reauthenticated": true,
  "agent.removed": true,
  "agent.reregistered": true,
  "agent.updated": true,
  "approval.resumed": true,
  "approval.revoked": true,
  "approval.suspended": true,
  "approval.voted": true,
  "approval_workflow.created": true,
  "approval_workflow.removed": true,
  "approval_workflow.updated": true,
  "held_call.expired": true,
  "held_call.released": true,
  "held_call.revoked": true,
  "key.created": true,
  "key.exchanged": true,
  "key.revoked": true,
  "key.rotated": true,
  "key.signed_in": true,
  "kill_switch.dry_run": true,
  "legal_hold.lifted": true,
  "legal_hold.placed": true,
  "namespace.created": true,
  "namespace.removed": true,
  "namespace.rogue_detection_changed": true,
  "namespace.updated": true,
  outcome: true,
  "policy.archived": true,
  "policy.assigned": true,
  "policy.disabled": true,
  "policy.enabled": true,
  "policy.labelled": true,
  "policy.unassigned": true,
  "retention.removed": true,
  "trust_rule.created": true,
  "trust_rule.removed": true,
};

/** The rows that send nothing. */
export const ROWS_WITHOUT_EVENTS = Object.keys(WITHOUT_EVENTS) as readonly RowName[];
