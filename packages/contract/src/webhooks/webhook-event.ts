import type { JsonObject } from "@svc/text/json-value";
import { z } from "zod";
import { ANOMALIES } from "../agents/anomaly.ts";

/** Version of the form of a body. It grows when a member changes its meaning or goes away. */
export const WEBHOOK_SCHEMA_VERSION = 1;

const text = z.string();
const maybe = z.string().nullable();
const object = z.record(z.string(), z.unknown());

/** What every event about a call says of it. */
const call = {
  decision_id: text,
  namespace: text,
  agent_id: text,
  session_id: maybe,
  tool: text,
  reason: maybe,
};

/** Arguments as the audit log has them, with secrets masked. */
const callArgs = {
  args: object.nullable().describe("Null when the event would be too large with them."),
  args_omitted: z.boolean().describe("Whether there are arguments that the event leaves out."),
};

const CALL = {
  decision_id: "gw_1f0c.42",
  namespace: "default",
  agent_id: "refund-agent",
  session_id: "s-1",
  tool: "payments.refund",
} as const;
const ARGS = { args: { amount: 5_000 }, args_omitted: false } as const;
const POLICY = { rule_id: "large-refund", policy_id: "payments", policy_version: 3 } as const;
const policy = { rule_id: maybe, policy_id: maybe, policy_version: z.int().nullable() };

/** Every event that webhooks deliver: when it is sent, the form of its `data`, and an example of it. */
export const WEBHOOK_EVENTS = {
  "policy.decision": {
    when: "a call was decided",
    data: z.strictObject({
      ...call,
      ...callArgs,
      ...policy,
      decision: z.enum(["allow", "deny", "pause"]),
      reason_code: maybe,
      mode: maybe,
      would_be: object.nullable().describe("What a policy that only observes would have decided."),
      approval_id: maybe,
      fail_closed: z.boolean(),
    }),
    example: {
      ...CALL,
      ...ARGS,
      ...POLICY,
      decision: "deny",
      reason: "refunds above 1000 are not allowed",
      reason_code: "rule",
      mode: "enforcement",
      would_be: null,
      approval_id: null,
      fail_closed: false,
    },
  },
  "approval.requested": {
    when: "a paused call waits for a person",
    data: z.strictObject({ ...call, ...callArgs, ...policy, approval_id: text }),
    example: {
      ...CALL,
      ...ARGS,
      ...POLICY,
      approval_id: "apr_5c2a",
      reason: "refunds above 100 need approval",
    },
  },
  "approval.resolved": {
    when: "an approval was given, denied or cancelled, or has expired",
    data: z.strictObject({
      ...call,
      approval_id: text,
      resolution: z.enum(["approved", "denied", "expired", "cancelled"]),
      resolved_by: text,
    }),
    example: {
      ...CALL,
      approval_id: "apr_5c2a",
      reason: "checked with the customer",
      resolution: "approved",
      resolved_by: "3f9c1e2a7b4d",
    },
  },
  "killswitch.activated": {
    when: "a kill switch was activated, by a person or by the service",
    data: z.strictObject({
      kill_switch_id: text,
      scope: text,
      target_id: maybe,
      account_wide: z.boolean(),
      reason: text,
      activated_by: text,
      trigger_source: text,
      expires_at: maybe,
    }),
    example: {
      kill_switch_id: "ks_77b0",
      scope: "agent",
      target_id: "refund-agent",
      account_wide: false,
      reason: "incident 7",
      activated_by: "ana",
      trigger_source: "manual",
      expires_at: null,
    },
  },
  "agent.registered": {
    when: "an agent was registered, or one that called before was adopted",
    data: z.strictObject({ agent_id: text, namespace: text, registration: object.nullable() }),
    example: {
      agent_id: "refund-agent",
      namespace: "default",
      registration: { name: "Refunds", provider: null, tags: [], capabilities: [], parent_agent_id: null },
    },
  },
  "agent.severity_changed": {
    when: "the severity of a session changed",
    data: z.strictObject({
      agent_id: text,
      session_id: text,
      namespace: text,
      previous_severity: text,
      severity: text,
      reason: text,
      trigger_source: text,
      missed_heartbeats: z.int(),
    }),
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
  },
  "agent.anomaly": {
    when: "an agent behaved in an unusual way",
    data: z.strictObject({
      agent_id: text,
      session_id: maybe,
      namespace: maybe,
      anomaly: z.enum(ANOMALIES),
      explanation: text,
      evidence: object,
    }),
    example: {
      agent_id: "refund-agent",
      session_id: "s-1",
      namespace: "default",
      anomaly: "tool_never_seen",
      explanation: "the agent called a tool for the first time",
      evidence: { tool: "payments.refund" },
    },
  },
} as const;

export type WebhookType = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_TYPES = Object.keys(WEBHOOK_EVENTS) as readonly WebhookType[];

/** What one delivery is about. Its JSON is the body. */
export interface WebhookEvent {
  /** The same over all deliveries of the event, and unique among events. */
  readonly id: string;
  readonly type: WebhookType;
  /** RFC 3339 UTC: when it happened. */
  readonly timestamp: string;
  readonly org_id: string;
  readonly schema_version: typeof WEBHOOK_SCHEMA_VERSION;
  readonly data: JsonObject;
}

/** An event as it would be sent, about things that do not exist. */
export function sampleWebhookEvent(
  type: WebhookType,
  { id, timestamp, org_id }: Pick<WebhookEvent, "id" | "timestamp" | "org_id">,
): WebhookEvent {
  const data: JsonObject = WEBHOOK_EVENTS[type].example;
  return { id, type, timestamp, org_id, schema_version: WEBHOOK_SCHEMA_VERSION, data };
}
