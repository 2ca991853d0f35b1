import { z } from "zod";
import { answerForms } from "../fields/answer-forms.ts";
import { governanceModeSchema } from "./decision-schema.ts";
import { reasonCodeSchema } from "./reason-code-schema.ts";
import { wouldBeSchema } from "./would-be-schema.ts";

const COMMON = {
  decision_id: z.string().describe("Names the durable audit row."),
  policy_id: z.string().optional(),
  policy_version: z.int().optional(),
  mode: governanceModeSchema.optional(),
  repeated: z
    .boolean()
    .optional()
    .describe(
      "True on the answer to a repeat with the same Idempotency-Key. The first call was charged, once.",
    ),
};

const REFUSED = {
  reason: z.string().describe("For people."),
  reason_code: reasonCodeSchema.describe(
    "For programs. A later version may add codes: take one that you do not know as a deny.",
  ),
  rule_id: z.string().optional(),
  args_constrained: z.literal(false),
};

const ALLOWED = {
  decision: z.literal("allow"),
  ...COMMON,
  would_be: wouldBeSchema.optional(),
};

/** The call may be made: as it is, or with the arguments of the policy. One value of `decision`, one form. */
export const allowSchema = z
  .strictObject({
    ...ALLOWED,
    args_constrained: z.boolean().describe("True: call with `shaped_args`, not with your arguments."),
    shaped_args: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("All arguments of the call. Present exactly when `args_constrained` is true."),
  })
  .meta({ id: "Allow", description: "Make the call, with `shaped_args` where they are present." });

/** The call must not be made. */
export const denySchema = z
  .strictObject({
    decision: z.literal("deny"),
    ...COMMON,
    decision_id: COMMON.decision_id.optional(),
    ...REFUSED,
    kill_switch_id: z.string().optional(),
    retryable: z
      .boolean()
      .optional()
      .describe("False: the same call is denied again, until somebody changes what denied it."),
    docs: z
      .string()
      .optional()
      .describe(
        "Where the server explains the reason code: below SVC_PUBLIC_URL where that is set, else as a path.",
      ),
    fail_closed: z.boolean().describe("True when a fault, not a policy, denied the call."),
  })
  .meta({ id: "Deny", description: "Do not make the call." });

/** A person must approve the call first. */
export const pauseSchema = z
  .strictObject({
    decision: z.literal("pause"),
    ...COMMON,
    ...REFUSED,
    approval_url: z.string().describe("Where a person approves the call."),
  })
  .meta({ id: "Pause", description: "A person must approve the call first." });

/** The answer to one intended tool call. */
export const verdictSchema = answerForms("decision", [denySchema, pauseSchema, allowSchema], {
  id: "Verdict",
  description: "Whether the call may be made. Anything that is not an allow means no.",
});
