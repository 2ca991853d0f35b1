import { z } from "zod";
import { GOVERNANCE_MODES, REASON_CODES } from "./verdict.ts";

const COMMON = {
  decision_id: z.string().describe("Names the durable audit row."),
  policy_id: z.string().optional(),
  policy_version: z.int().optional(),
  mode: z.enum(GOVERNANCE_MODES).optional(),
  repeated: z
    .boolean()
    .optional()
    .describe(
      "True on the answer to a repeat with the same Idempotency-Key. The first call was charged, once.",
    ),
};

const REFUSED = {
  reason: z.string().describe("For people."),
  reason_code: z.enum(REASON_CODES).describe("For programs: a closed list."),
  rule_id: z.string().optional(),
  args_constrained: z.literal(false),
};

const ALLOWED = {
  decision: z.literal("allow"),
  ...COMMON,
  would_be: z
    .strictObject({
      decision: z.enum(["deny", "pause"]),
      reason: z.string(),
      reason_code: z.enum(REASON_CODES),
      rule_id: z.string().nullable(),
    })
    .optional()
    .describe("What the governance mode kept from taking effect."),
};

/** The call may be made. */
export const allowSchema = z
  .strictObject({ ...ALLOWED, args_constrained: z.literal(false) })
  .meta({ id: "Allow", description: "Make the call as it is." });

/** The call may be made with other arguments. */
export const shapedAllowSchema = z
  .strictObject({
    ...ALLOWED,
    args_constrained: z.literal(true),
    shaped_args: z.record(z.string(), z.unknown()).describe("Call with these arguments, not with yours."),
  })
  .meta({ id: "ShapedAllow", description: "Make the call with `shaped_args`." });

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
    docs: z.string().optional().describe("Where the server explains the reason code."),
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
export const verdictSchema = z.union([denySchema, pauseSchema, allowSchema, shapedAllowSchema]).meta({
  id: "Verdict",
  description: "Whether the call may be made. Anything that is not an allow means no.",
});
