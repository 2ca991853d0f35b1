import { z } from "zod";
import { indexedSchema } from "../audit/audit-answer.ts";
import { decisionSchema, governanceModeSchema } from "../execute/decision-schema.ts";
import { timestampSchema } from "../fields/timestamp.ts";

const COUNT = z.int().describe("Decisions.");

const TOO_MANY = "Null: too many to count.";

const TOTALS = {
  decisions: COUNT,
  deny: COUNT,
  pause: COUNT,
  allow: COUNT,
  withdrawn: z
    .int()
    .describe("Decisions of these that nobody got, because the gateway denied the call later."),
  newly_denied: z.int().describe("Allowed calls that enforcement would have denied."),
  newly_paused: z.int().describe("Allowed calls that enforcement would have paused."),
  agents: z.int().nullable().describe(`Agents that were decided for. ${TOO_MANY}`),
  sessions: z.int().nullable().describe(`Sessions that were decided for. ${TOO_MANY}`),
};

const GROUP = {
  policy_version: z.int().nullable(),
  mode: governanceModeSchema.nullable(),
  decision: decisionSchema,
  would_be: decisionSchema.nullable().describe("What enforcement would have answered, where it differs."),
  rule_id: z.string().nullable(),
  would_be_rule_id: z.string().nullable().describe("The rule that would have decided under enforcement."),
  tool: z.string().nullable(),
  count: COUNT,
  withdrawn: TOTALS.withdrawn,
  examples: z.array(z.string()).readonly().describe("Ids of a few of these decisions."),
};

/** How often a policy decided in one way. */
const groupSchema = z
  .strictObject(GROUP)
  .meta({ id: "PolicyReportGroup", description: "How often a policy decided in one way for one tool." });

const versionSchema = z
  .strictObject({ policy_version: z.int(), ...TOTALS })
  .meta({ id: "PolicyReportVersion", description: "The decisions of one version, counted." });

/** What a policy decided, so that a change of its mode rests on facts. */
export const policyReportSchema = z
  .strictObject({
    policy_id: z.string(),
    since: timestampSchema.describe("The first minute that is counted."),
    until: timestampSchema.describe("The first minute that is not counted."),
    ...TOTALS,
    versions: z.array(versionSchema).readonly(),
    would_change: z
      .array(groupSchema)
      .readonly()
      .describe("The calls that enforcement would have denied or paused, most frequent first."),
    groups: z.array(groupSchema).readonly().describe("All decisions, most frequent first."),
    groups_left_out: z
      .int()
      .describe("How many groups are not listed because there are more than 500. The totals count them."),
    indexed: indexedSchema,
  })
  .meta({ id: "PolicyReport", description: "The decisions of a policy in a time, counted." });

export type PolicyReportAnswer = z.output<typeof policyReportSchema>;
export type PolicyReportGroup = z.output<typeof groupSchema>;
