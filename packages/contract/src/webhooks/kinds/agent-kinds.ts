import { z } from "zod";
import { anomalySchema } from "../../agents/anomaly-schema.ts";
import { triggerSourceSchema } from "../../kill-switches/kill-switch.ts";
import { severitySchema } from "../../supervision/severity-schema.ts";
import { picked, webhookKind } from "../webhook-kind.ts";
import { memberForms } from "./member-forms.ts";

const { ends, maybe, object, text } = memberForms;

const trigger_source = triggerSourceSchema;

/** Events about agents and their sessions. */
export const agentKinds = {
  "agent.registered": webhookKind({
    when: "an agent was registered, or one that called before was adopted",
    rows: ["agent.registered", "agent.adopted"],
    data: {
      agent_id: text,
      namespace: text,
      registration: object
        .nullable()
        .describe("Name, provider, tags, capabilities and parent. Null when the event would be too large."),
      registration_omitted: z.boolean().describe("Whether there is one that the event leaves out."),
    },
    example: {
      agent_id: "refund-agent",
      namespace: "default",
      registration: { name: "Refunds", provider: null, tags: [], capabilities: [], parent_agent_id: null },
      registration_omitted: false,
    },
    read: (row) => ({
      ...picked(row, "agent_id", "namespace"),
      registration: row.registration === null ? null : { ...row.registration },
      registration_omitted: false,
    }),
  }),
  "agent.severity_changed": webhookKind({
    when: "the severity of a session changed",
    rows: ["severity"],
    data: {
      agent_id: text,
      session_id: text,
      namespace: text,
      previous_severity: severitySchema,
      severity: severitySchema,
      reason: text,
      trigger_source,
      missed_heartbeats: z.int(),
    },
    example: {
      agent_id: "refund-agent",
      session_id: "s-1",
      namespace: "default",
      previous_severity: "WARNING",
      severity: "CRITICAL",
      reason: "3 heartbeats are missing",
      trigger_source: "rogue_detection",
      missed_heartbeats: 3,
    },
    // A row also says that a session has become an orphan, or that a first heartbeat is missing.
    read: (row) =>
      row.previous_severity === row.severity
        ? null
        : {
            ...picked(row, "agent_id", "session_id", "namespace", "previous_severity", "severity", "reason"),
            ...picked(row, "trigger_source", "missed_heartbeats"),
          },
  }),
  "agent.anomaly": webhookKind({
    when: "an agent behaved in an unusual way. A burst of denied calls is `policy.violations` instead",
    rows: ["anomaly"],
    data: {
      agent_id: text,
      session_id: maybe,
      namespace: maybe,
      anomaly: anomalySchema,
      explanation: text,
      evidence: object.describe("Ids and counts that show it."),
    },
    example: {
      agent_id: "refund-agent",
      session_id: "s-1",
      namespace: "default",
      anomaly: "tool_never_seen",
      explanation: "the agent called a tool for the first time",
      evidence: { tool: "payments.refund" },
    },
    read: (row) =>
      row.anomaly === "policy_violations"
        ? null
        : picked(row, "agent_id", "session_id", "namespace", "anomaly", "explanation", "evidence"),
  }),
  "agent.quarantined": webhookKind({
    when: "an agent was limited to the read-only tools of its policy",
    rows: ["agent.quarantined"],
    data: {
      agent_id: text,
      namespace: text,
      reason: maybe,
      quarantined_by: maybe,
      trigger_source,
      expires_at: ends,
    },
    example: {
      agent_id: "refund-agent",
      namespace: "default",
      reason: "incident 7",
      quarantined_by: "ana",
      trigger_source: "manual",
      expires_at: null,
    },
    read: (row) => ({
      ...picked(row, "agent_id", "namespace", "reason", "trigger_source", "expires_at"),
      quarantined_by: row.actor,
    }),
  }),
};
