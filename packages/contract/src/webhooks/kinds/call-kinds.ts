import { z } from "zod";
import type { DecisionRow } from "../../audit/audit-row.ts";
import { decisionSchema, governanceModeSchema } from "../../execute/decision-schema.ts";
import { picked, webhookKind } from "../webhook-kind.ts";
import { memberForms } from "./member-forms.ts";

const { maybe, object, text } = memberForms;

/** What every event about a call says of it. */
const CALL = {
  decision_id: text.describe("Leads to the decision and its row: `GET decisions/{id}`."),
  namespace: text,
  agent_id: text,
  session_id: maybe.describe("Null: the call named none."),
  tool: text,
  reason: maybe,
};

/** Further members of the events about a decision. */
const DECIDED = {
  ...CALL,
  args: object
    .nullable()
    .describe("As the audit log has them, secrets masked. Null when the event would be too large with them."),
  args_omitted: z.boolean().describe("Whether there are arguments that the event leaves out."),
  rule_id: maybe.describe("Null: no rule of the policy decided."),
  policy_id: maybe,
  policy_version: z.int().nullable(),
  trace_id: maybe.describe("The trace in which the call was made. Null: its caller named none."),
};

const EXAMPLE = {
  decision_id: "gw_1f0c.42",
  namespace: "default",
  agent_id: "refund-agent",
  session_id: "s-1",
  tool: "payments.refund",
};
const DECIDED_EXAMPLE = {
  ...EXAMPLE,
  args: { amount: 5_000 },
  args_omitted: false,
  rule_id: "large-refund",
  policy_id: "payments",
  policy_version: 3,
  trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
};

/** Events about calls and about the people who decide them. */
export const callKinds = {
  "policy.decision": webhookKind({
    when: "a call was decided",
    rows: ["decision"],
    data: {
      ...DECIDED,
      decision: decisionSchema,
      reason_code: maybe,
      mode: governanceModeSchema.nullable(),
      would_be: object.nullable().describe("What a policy that only observes would have decided."),
      approval_id: maybe,
      fail_closed: z.boolean().describe("Whether a fault denied the call, and no policy did."),
    },
    example: {
      ...DECIDED_EXAMPLE,
      decision: "deny",
      reason: "refunds above 1000 are not allowed",
      reason_code: "rule",
      mode: "enforcement",
      would_be: null,
      approval_id: null,
      fail_closed: false,
    },
    read: (row, place) => ({
      ...decided(row, place),
      ...picked(row, "decision", "reason_code", "mode", "approval_id", "fail_closed"),
      would_be: row.would_be === null ? null : { ...row.would_be },
    }),
  }),
  "approval.requested": webhookKind({
    when: "a paused call waits for a person",
    rows: ["decision"],
    suffix: "-approval",
    data: { ...DECIDED, approval_id: text },
    example: { ...DECIDED_EXAMPLE, approval_id: "apr_5c2a", reason: "refunds above 100 need approval" },
    read: (row, place) => {
      const { decision, approval_id } = row;
      return decision !== "pause" || approval_id === null ? null : { ...decided(row, place), approval_id };
    },
  }),
  "approval.resolved": webhookKind({
    when: "an approval was given, denied or cancelled, or has expired",
    rows: ["approval.approved", "approval.denied", "approval.expired", "approval.cancelled"],
    data: {
      ...CALL,
      approval_id: text,
      resolution: z.enum(["approved", "denied", "expired", "cancelled"]),
      resolved_by: text.describe("The id of the key, or the part of the service."),
    },
    example: {
      ...EXAMPLE,
      approval_id: "apr_5c2a",
      reason: "checked with the customer",
      resolution: "approved",
      resolved_by: "3f9c1e2a7b4d",
    },
    read: (row) => ({
      ...picked(row, "decision_id", "namespace", "agent_id", "session_id", "tool", "reason", "approval_id"),
      resolution: row.action,
      resolved_by: row.principal,
    }),
  }),
};

function decided(row: DecisionRow, place: string) {
  return {
    decision_id: place,
    ...picked(row, "namespace", "agent_id", "session_id", "tool", "reason", "args"),
    ...picked(row, "rule_id", "policy_id", "policy_version"),
    args_omitted: false,
    trace_id: row.trace_id ?? null,
  };
}
