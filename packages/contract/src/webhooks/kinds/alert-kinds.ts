import { alertSchema } from "../../alerts/alert.ts";
import type { AlertRow } from "../../audit/alert-row.ts";
import { timestampSchema } from "../../fields/timestamp.ts";
import { picked, webhookKind } from "../webhook-kind.ts";
import { memberForms } from "./member-forms.ts";

const { condition, severity, subject, agent_id, summary, details, opened_at } = alertSchema.shape;

const ALERT = {
  alert_id: memberForms.text,
  condition,
  severity,
  subject,
  agent_id,
  summary,
  details,
  opened_at,
};

const EXAMPLE = {
  alert_id: "alert_9d41",
  condition: "agent_severity",
  severity: "critical",
  subject: "refund-agent",
  agent_id: "refund-agent",
  summary: "The agent refund-agent has a session at CRITICAL.",
  details: { severity: "CRITICAL", sessions: 1, session_ids: ["s-1"] },
  opened_at: "2026-11-22T09:00:00.000Z",
} as const;

/** Events about conditions that somebody has to look at. */
export const alertKinds = {
  "alert.opened": webhookKind({
    when: "a condition began that somebody has to look at",
    rows: ["alert.opened"],
    data: ALERT,
    example: EXAMPLE,
    read: about,
  }),
  "alert.resolved": webhookKind({
    when: "the condition of an alert ended",
    rows: ["alert.resolved"],
    data: { ...ALERT, resolved_at: timestampSchema },
    example: { ...EXAMPLE, resolved_at: "2026-11-22T09:41:07.123Z" },
    read: (row) => ({ ...about(row), resolved_at: row.time }),
  }),
};

function about(row: AlertRow) {
  return {
    ...picked(row, "alert_id", "condition", "severity", "subject", "agent_id", "summary"),
    ...picked(row, "details", "opened_at"),
  };
}
