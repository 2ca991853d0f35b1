import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { ApprovalRow, AuditRow, DecisionRow } from "../audit/audit-row.ts";
import {
  WEBHOOK_EVENTS,
  WEBHOOK_SCHEMA_VERSION,
  type WebhookEvent,
  type WebhookType,
} from "./webhook-event.ts";

/** A row of the audit log with its place, `<log id>.<sequence number>`. */
export interface PlacedRow {
  readonly id: string;
  readonly row: AuditRow;
}

/** Longest body in bytes. */
const MAX_BODY_BYTES = 20_000;

/**
 * The events that a row makes, which may be none. Their ids come from the place of the row, so that the same
 * row makes the same events everywhere. @throws ZodError when the row is not one
 */
export function webhookEventsOfRow({ id, row }: PlacedRow): readonly WebhookEvent[] {
  return dataOfRow(id, row).map(({ type, suffix = "", data }) => ({
    id: `evt_${id.replaceAll(/\.(?=.*\.)/g, "~").replace(".", "-")}${suffix}`,
    type,
    timestamp: row.time,
    org_id: row.org,
    schema_version: WEBHOOK_SCHEMA_VERSION,
    data: WEBHOOK_EVENTS[type].data.parse(data) as JsonObject,
  }));
}

/** The body of a delivery. Arguments that would make it too large are left out, and the event says so. */
export function renderWebhookBody(event: WebhookEvent): string {
  const body = JSON.stringify(event);
  if (new TextEncoder().encode(body).length <= MAX_BODY_BYTES || !("args" in event.data)) return body;
  return JSON.stringify({ ...event, data: { ...event.data, args: null, args_omitted: true } });
}

interface RowEvent {
  readonly type: WebhookType;
  /** Tells two events of one row apart. */
  readonly suffix?: string;
  readonly data: Readonly<Record<string, JsonValue | undefined>>;
}

function dataOfRow(id: string, row: AuditRow): readonly RowEvent[] {
  switch (row.kind) {
    case "decision":
      return ofDecision(id, row);
    case "approval":
      return ofApproval(row);
    case "kill_switch":
      return row.action === "activated"
        ? [
            {
              type: "killswitch.activated",
              data: {
                ...picked(row, "kill_switch_id", "scope", "target_id", "account_wide", "reason"),
                activated_by: row.actor,
                trigger_source: row.trigger_source,
                expires_at: row.expires_at,
              },
            },
          ]
        : [];
    case "agent": {
      if (row.action !== "registered" && row.action !== "adopted") return [];
      const registration = row.registration === null ? null : { ...row.registration };
      return [{ type: "agent.registered", data: { ...picked(row, "agent_id", "namespace"), registration } }];
    }
    case "severity":
      return [
        {
          type: "agent.severity_changed",
          data: {
            ...picked(row, "agent_id", "session_id", "namespace", "previous_severity", "severity", "reason"),
            ...picked(row, "trigger_source", "missed_heartbeats"),
          },
        },
      ];
    case "anomaly":
      return [
        {
          type: "agent.anomaly",
          data: picked(row, "agent_id", "session_id", "namespace", "anomaly", "explanation", "evidence"),
        },
      ];
    case "outcome":
    case "policy":
    case "key":
    case "namespace":
    case "approval_workflow":
    case "retention":
    case "legal_hold":
    case "trust_rule":
    case "held_call":
      return [];
    default:
      return row satisfies never;
  }
}

function ofDecision(decision_id: string, row: DecisionRow): readonly RowEvent[] {
  const common = {
    decision_id,
    ...picked(row, "namespace", "agent_id", "session_id", "tool", "reason", "args"),
    ...picked(row, "rule_id", "policy_id", "policy_version"),
    args_omitted: false,
  };
  const would_be = row.would_be === null ? null : { ...row.would_be };
  const decided: RowEvent = {
    type: "policy.decision",
    data: {
      ...common,
      ...picked(row, "decision", "reason_code", "mode", "approval_id", "fail_closed"),
      would_be,
    },
  };
  if (row.decision !== "pause" || row.approval_id === null) return [decided];
  const data = { ...common, approval_id: row.approval_id };
  return [decided, { type: "approval.requested", suffix: "-approval", data }];
}

const RESOLUTIONS: readonly string[] = ["approved", "denied", "expired", "cancelled"];

function ofApproval(row: ApprovalRow): readonly RowEvent[] {
  if (!RESOLUTIONS.includes(row.action)) return [];
  const data = {
    ...picked(row, "decision_id", "namespace", "agent_id", "session_id", "tool", "reason", "approval_id"),
    resolution: row.action,
    resolved_by: row.principal,
  };
  return [{ type: "approval.resolved", data }];
}

function picked<Row extends AuditRow, Name extends keyof Row>(
  row: Row,
  ...names: readonly Name[]
): Readonly<Record<string, JsonValue | undefined>> {
  return Object.fromEntries(names.map((name) => [name, row[name] as JsonValue | undefined]));
}
