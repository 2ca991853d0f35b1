import {
  alertAcknowledgementSchema,
  alertPageSchema,
  alertSchema,
  alertStatusSchema,
  parseAlertAcknowledgement,
} from "@svc/contract/alert";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route, scoped } from "../route.ts";

const ID = z.strictObject({ alert_id: z.string().describe("The alert.") });

const ALERT = {
  id: "alert_5c2a9f3e1b7d",
  condition: "agent_severity",
  severity: "critical",
  status: "open",
  subject: "refund-agent",
  agent_id: "refund-agent",
  summary: "The agent refund-agent has a session at CRITICAL.",
  details: { severity: "CRITICAL", sessions: 1, session_ids: ["s-1"] },
  opened_at: "2026-11-22T09:00:00.000Z",
  acknowledged_at: null,
  acknowledged_by: null,
  note: null,
  resolved_at: null,
} as const;

const ACKNOWLEDGED = {
  ...ALERT,
  status: "acknowledged",
  acknowledged_at: "2026-11-22T09:04:00.000Z",
  acknowledged_by: "3f9c1e2a7b4d",
  note: "I look at it.",
} as const;

export const alertRoutes = {
  listAlerts: route({
    method: "GET",
    path: "/alerts",
    tag: "Alerts",
    summary: "List alerts",
    description:
      "Newest first. Alerts of the whole server, such as a full disk, are in the list of the first " +
      "organization alone.",
    ...scoped("alert:read", "read"),
    query: z.strictObject({
      status: alertStatusSchema.optional().describe("Where they stand. Absent: all."),
      ...PAGE,
    }),
    answers: { 200: page("A page of alerts.", alertPageSchema, { alerts: [ALERT] }) },
  }),
  getAlert: route({
    method: "GET",
    path: "/alerts/{alert_id}",
    tag: "Alerts",
    summary: "Read an alert",
    description: "Also one that is resolved. Of those, the newest 10,000 of an organization are kept.",
    ...scoped("alert:read", "read"),
    params: ID,
    answers: { 200: answer("The alert.", alertSchema, ALERT) },
    problems: ["not_found"],
  }),
  acknowledgeAlert: route({
    method: "POST",
    path: "/alerts/{alert_id}/acknowledge",
    tag: "Alerts",
    summary: "Acknowledge an alert",
    description:
      "Says that somebody looks at it. It does not end the alert, which ends by itself when its condition " +
      "ends. An alert that is acknowledged or resolved already is answered as it is.",
    ...scoped("alert:write", "write"),
    params: ID,
    body: jsonBody(
      alertAcknowledgementSchema,
      parseAlertAcknowledgement,
      { note: "I look at it." },
      { value: { note: null } },
    ),
    idempotency: "answer",
    answers: { 200: answer("The alert now.", alertSchema, ACKNOWLEDGED) },
    problems: ["not_found"],
  }),
} as const;
