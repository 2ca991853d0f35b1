import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { decisionSchema, governanceModeSchema } from "../execute/decision-schema.ts";
import { reasonCodeSchema } from "../execute/reason-code-schema.ts";
import { nullableWouldBeSchema } from "../execute/would-be-schema.ts";
import { killSwitchScopeSchema } from "../kill-switches/kill-switch.ts";
import { regoRecordSchema } from "./rego-record.ts";

/** What a condition said of a call. */
export const CONDITION_TRUTHS = ["holds", "fails", "missing", "unsure", "unread", "not_judged"] as const;

/** What became of a rule. */
export const RULE_OUTCOMES = [
  "matched",
  "counts_as_matched",
  "not_matched",
  "not_judged",
  "other_tool",
  "not_reached",
] as const;

/** What of a policy decided a call. */
export const DECIDERS = [
  "kill_switch",
  "tools.denied",
  "session",
  "rule",
  "rego",
  "tools.allowed",
  "fail_closed",
  "ceiling",
] as const;

const shownValue = () => z.custom<JsonValue>((value) => value !== undefined).meta({ jsonSchema: {} });

export const explainedConditionSchema = z
  .strictObject({
    field: z.string(),
    operator: z.string(),
    expected: shownValue().optional().describe("What the policy compares with. A long value is cut."),
    lists: z
      .array(z.string())
      .readonly()
      .optional()
      .describe("The lists of the policy that the condition names."),
    truth: z
      .enum(CONDITION_TRUTHS)
      .describe(
        "`unsure`: the value has a type or form that cannot be judged. `unread`: the call needs too much " +
          "work. `not_judged`: the conditions before it decided.",
      ),
    found: shownValue()
      .optional()
      .describe("The value that the rule saw, masked as in an audit row. A long value is cut."),
    read: z
      .array(z.string())
      .readonly()
      .optional()
      .describe(
        "What the operator read in the value, masked, at most 20: the commands, the statements, or the " +
          "names of members that `only_names` does not list.",
      ),
    masked: z
      .literal(true)
      .optional()
      .describe(
        "Present when the row of a recorded call masks what the condition read: what is said of the " +
          "condition is true of the mask, and may not be true of the value.",
      ),
  })
  .meta({ id: "ExplainedCondition", description: "What one condition saw, and what it said." });
export type ExplainedCondition = Readonly<z.infer<typeof explainedConditionSchema>>;

export const explainedRuleSchema = z
  .strictObject({
    id: z.string(),
    priority: z.int(),
    action: z.string(),
    tool: z.string(),
    outcome: z
      .enum(RULE_OUTCOMES)
      .describe(
        "`counts_as_matched`: a condition could not be judged, and the rule restricts. `not_judged`: the " +
          "same, and the rule permits. `not_reached`: the evaluation ended before.",
      ),
    why: z.string(),
    conditions: z
      .array(explainedConditionSchema)
      .readonly()
      .describe("Empty when the rule was not evaluated."),
  })
  .meta({ id: "ExplainedRule", description: "What became of one rule, and why." });
export type ExplainedRule = Readonly<z.infer<typeof explainedRuleSchema>>;

const ceilingSchema = z
  .strictObject({
    limit: z.string(),
    used: z
      .string()
      .nullable()
      .describe("What the session has used before the call. Null: the row of a recorded call does not say."),
    call: z.string().describe("What the call adds."),
    exceeded: z.boolean(),
  })
  .meta({ id: "ExplainedCeiling", description: "A ceiling, and what the call adds." });

/**
 * Most calls of one simulation whose Rego module is traced, as count: each trace costs a compilation, and
 * has up to 64 KiB.
 */
export const MAX_TRACED_CALLS = 16;

const moduleLinesSchema = z
  .strictObject({ first: z.int().min(1), last: z.int().min(1) })
  .meta({ id: "ModuleLines", description: "Lines of a Rego module, both included, the first being 1." });

const regoTraceSchema = z
  .strictObject({
    trace: z.string().describe("The trace of OPA, cut at a limit. It names arguments of the call."),
    covered: z.array(moduleLinesSchema).readonly().describe("Lines that ran."),
    not_covered: z.array(moduleLinesSchema).readonly().describe("Lines that could run and did not."),
    percent: z.number().min(0).max(100).describe("Of the lines that can run."),
  })
  .meta({ id: "RegoTrace", description: "How the Rego module of a policy came to what it said of a call." });

export const explanationSchema = z
  .strictObject({
    decided_by: z.enum(DECIDERS),
    kill_switches: z
      .strictObject({
        checked: z.array(z.string()).readonly().describe("In the order in which a gateway checks them."),
        matched: z
          .strictObject({
            kill_switch_id: z.string(),
            scope: killSwitchScopeSchema,
            target_id: z.string().nullable(),
            account_wide: z.boolean(),
            reason: z.string(),
          })
          .meta({ id: "MatchedKillSwitch" })
          .nullable(),
      })
      .meta({ id: "CheckedKillSwitches" }),
    denied: z.array(z.string()).readonly().describe("Globs of `tools.denied` that match the tool."),
    session: z
      .strictObject({
        needed: z.boolean().describe("Whether the policy must know the session of a call."),
        named: z.boolean(),
      })
      .meta({ id: "ExplainedSession" }),
    rules: z.array(explainedRuleSchema).readonly().describe("Every rule, in the order of evaluation."),
    allowed: z.array(z.string()).readonly().describe("Globs of `tools.allowed` that match the tool."),
    fail_closed: z.boolean(),
    ceilings: z
      .strictObject({
        max_steps: ceilingSchema.nullable(),
        max_usd_per_session: ceilingSchema.nullable(),
      })
      .meta({ id: "ExplainedCeilings" }),
    mode: governanceModeSchema,
    rego: regoRecordSchema.optional().describe("Absent when the policy has no module."),
    rego_trace: regoTraceSchema
      .optional()
      .describe(
        "Of a simulated call under a policy with a module, for the first " +
          `${String(MAX_TRACED_CALLS)} calls at most: tracing ends when it has taken half of the time of a ` +
          "simulation. Absent when the module failed.",
      ),
  })
  .meta({ id: "PolicyExplanation", description: "The steps of an evaluation, in their order." });
export type Explanation = Readonly<z.infer<typeof explanationSchema>>;

export const simulatedVerdictSchema = z
  .strictObject({
    decision: decisionSchema,
    reason: z.string().nullable(),
    reason_code: reasonCodeSchema.nullable(),
    rule_id: z.string().nullable(),
    kill_switch_id: z.string().nullable(),
    would_be: nullableWouldBeSchema.describe(
      "What enforcement would answer, when the mode of the policy allows the call.",
    ),
    args_constrained: z.boolean(),
    shaped_args: z
      .custom<JsonObject>()
      .nullable()
      .meta({
        jsonSchema: { type: ["object", "null"] },
        description: "The rewritten arguments. What the secret detectors find in them is masked.",
      }),
    cost_usd: z.string(),
  })
  .meta({ id: "SimulatedVerdict", description: "What a gateway would answer. No row was written." });
export type SimulatedVerdict = Readonly<z.infer<typeof simulatedVerdictSchema>>;
