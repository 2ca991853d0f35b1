import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { decisionSchema, governanceModeSchema } from "../execute/decision-schema.ts";
import { reasonCodeSchema } from "../execute/reason-code-schema.ts";
import { nullableWouldBeSchema } from "../execute/would-be-schema.ts";
import { answerForms } from "../fields/answer-forms.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { killSwitchScopeSchema } from "../kill-switches/kill-switch.ts";
import { explanationSchema, simulatedVerdictSchema } from "./policy-explanation.ts";

/** What decided a recorded call. */
const DECISION_SOURCES = ["policy", "approval", "kill_switch", "gateway", "fault"] as const;

const recordedSchema = z
  .strictObject({
    time: timestampSchema,
    agent_id: z.string(),
    session_id: z.string().nullable(),
    namespace: z.string(),
    tool: z.string(),
    decision: decisionSchema,
    reason: z.string().nullable(),
    reason_code: reasonCodeSchema.nullable(),
    rule_id: z.string().nullable(),
    would_be: nullableWouldBeSchema,
    mode: governanceModeSchema.nullable(),
    policy_id: z.string().nullable(),
    policy_version: z.int().nullable(),
    kill_switch_id: z.string().nullable(),
    approval_id: z.string().nullable(),
    cost_usd: z.string(),
    session_usage: z
      .strictObject({ steps: z.int(), cost_usd: z.string() })
      .meta({ id: "SessionUsageBefore" })
      .nullable()
      .describe("What the decision saw of the session. Null: the row does not hold it."),
    fail_closed: z.boolean(),
    masked: z
      .boolean()
      .nullable()
      .describe("Whether values were masked when the row was written. Null: the row's digests do not say."),
  })
  .meta({ id: "RecordedDecision", description: "The decision as its row holds it." });

const switchAtSchema = z
  .strictObject({
    kill_switch_id: z.string(),
    scope: killSwitchScopeSchema,
    target_id: z.string().nullable(),
    account_wide: z.boolean(),
    reason: z.string(),
    activated_at: timestampSchema,
    ended_at: timestampSchema.nullable(),
  })
  .meta({ id: "ExplainedKillSwitch", description: "A kill switch at the time of a decision." });

const argumentChangeSchema = z
  .strictObject({
    kind: z.literal("argument"),
    rule_id: z.string(),
    field: z.string(),
    requirement: z.string().describe("What the argument would have had to be, such as `args.amount <= 500`."),
    tried: z
      .custom<JsonValue>((value) => value !== undefined)
      .optional()
      .meta({ jsonSchema: {} })
      .describe("The value that was tried. Absent: the argument was left out."),
    decision: decisionSchema.describe("What the policy says of the changed call."),
  })
  .meta({ id: "ArgumentChange", description: "Another value of an argument." });

const listChangeSchema = z
  .strictObject({
    kind: z.literal("list_entry"),
    list: z.enum(["tools.allowed", "tools.denied"]),
    change: z.enum(["add", "remove"]),
    entry: z.string(),
    decision: decisionSchema,
  })
  .meta({ id: "ListChange", description: "Another entry in a list of the policy." });

export const counterfactualSchema = answerForms("kind", [argumentChangeSchema, listChangeSchema], {
  id: "Counterfactual",
  description: "A small change of the call or of a list that changes the decision. It was evaluated.",
});
export type Counterfactual = Readonly<z.infer<typeof counterfactualSchema>>;

/** The answer to an explanation of a recorded decision. */
export const decisionExplanationSchema = z
  .strictObject({
    decision_id: z.string(),
    decided_by: z.enum(DECISION_SOURCES),
    summary: z.string().describe("The decision in words."),
    recorded: recordedSchema,
    withdrawn: z.boolean().describe("Whether the decision was withdrawn: its caller got a deny instead."),
    repeated: z
      .boolean()
      .nullable()
      .describe(
        "Whether a repeat of the call was answered with this decision. Null: no Idempotency-Key of the " +
          "call is remembered.",
      ),
    agrees: z
      .boolean()
      .nullable()
      .describe(
        "Whether the decision was reached again. False: a defect, which is counted and logged. Null: it " +
          "cannot be decided again from what the row holds; `doubts` says why.",
      ),
    doubts: z.array(z.string()).readonly().describe("What differs, or what the row does not hold."),
    evaluated: simulatedVerdictSchema
      .nullable()
      .describe("What was decided this time. Null: no policy decides this."),
    kill_switches: z
      .strictObject({
        checked: z.array(z.string()).readonly(),
        active: z
          .array(switchAtSchema)
          .readonly()
          .describe("Switches that name the call and were active at its time."),
      })
      .meta({ id: "RecordedKillSwitches" })
      .describe(
        "The kill switches of the time of the decision, by the times in their records. A row does not say " +
          "which revision of control state its gateway had applied: that a switch changed within the lease " +
          "of 1.5 s before the decision is in `doubts`, and is not a difference.",
      ),
    explanation: explanationSchema.nullable().describe("The steps. Null: no policy decided."),
    counterfactual: counterfactualSchema.nullable(),
    no_counterfactual: z.string().nullable().describe("Why there is none."),
  })
  .meta({ id: "DecisionExplanation", description: "A recorded decision, made again and explained." });
export type DecisionExplanation = Readonly<z.infer<typeof decisionExplanationSchema>>;
