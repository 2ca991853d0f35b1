import { z } from "zod";
import { governanceModeSchema } from "../../execute/decision-schema.ts";
import { timestampSchema } from "../../fields/timestamp.ts";
import { picked, webhookKind } from "../webhook-kind.ts";
import { memberForms } from "./member-forms.ts";

const { maybe, text } = memberForms;

const VIOLATIONS = {
  rule_id: maybe.describe("Null: the policy denied the calls by something else than a rule."),
  count: z.int().describe("Calls that were denied within a minute."),
  since: timestampSchema.describe("When the first call of the burst was denied."),
  decision_ids: z.array(text).describe("Decisions that lead to the burst."),
};

/** What the evidence of such an anomaly has at least. */
const violationsSchema = z.object(VIOLATIONS);

/** Events about policies. */
export const policyKinds = {
  "policy.version_created": webhookKind({
    when: "a policy got a new version: it was created, updated or rolled back",
    rows: ["policy.created", "policy.updated", "policy.rolled_back"],
    data: {
      policy_id: text,
      policy_version: z.int(),
      agent_id: maybe.describe("The agent that the document names."),
      change: z.enum(["created", "updated", "rolled_back"]),
      rolled_back_to: z.int().nullable().describe("The version whose document it has again."),
      mode: governanceModeSchema.nullable(),
      document_digest: maybe.describe("`sha256:` and hexadecimal digits of the document."),
      created_by: text.describe("The id of the key."),
      why: maybe,
    },
    example: {
      policy_id: "payments",
      policy_version: 4,
      agent_id: "refund-agent",
      change: "updated",
      rolled_back_to: null,
      mode: "enforcement",
      document_digest: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      created_by: "3f9c1e2a7b4d",
      why: "refunds above 1000 need approval",
    },
    read: (row) =>
      row.policy_version === null
        ? null
        : {
            ...picked(row, "policy_id", "agent_id", "rolled_back_to", "mode", "document_digest", "why"),
            policy_version: row.policy_version,
            change: row.action,
            created_by: row.principal,
          },
  }),
  "policy.violations": webhookKind({
    when: "many calls of an agent were denied by one rule within a minute",
    rows: ["anomaly"],
    data: {
      agent_id: text,
      session_id: maybe.describe("Null: the call that was denied last named none."),
      namespace: maybe,
      explanation: text,
      ...VIOLATIONS,
    },
    example: {
      agent_id: "refund-agent",
      session_id: "s-1",
      namespace: "default",
      explanation: "had 20 calls denied by large-refund within a minute",
      rule_id: "large-refund",
      count: 20,
      since: "2026-11-22T09:40:41.000Z",
      decision_ids: ["gw_1f0c.42"],
    },
    read: (row) =>
      row.anomaly === "policy_violations"
        ? {
            ...picked(row, "agent_id", "session_id", "namespace", "explanation"),
            ...violationsSchema.parse(row.evidence),
          }
        : null,
  }),
};
