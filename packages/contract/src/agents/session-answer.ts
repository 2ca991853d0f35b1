import { z } from "zod";
import { auditRowSchema, INDEXED, NEXT_CURSOR } from "../audit/audit-answer.ts";
import { timestampSchema } from "../fields/timestamp.ts";

const PART = {
  decisions: z.int(),
  first_at: timestampSchema,
  last_at: timestampSchema,
};

/** What one agent did in one session. */
export const sessionSchema = z
  .strictObject({
    agent_id: z.string(),
    session_id: z.string(),
    first_at: timestampSchema,
    last_at: timestampSchema,
    usage: z
      .strictObject({
        steps: z.int().describe("Steps that ceilings count."),
        cost_usd: z.string().describe("Cost that ceilings count, reserved or reported, in decimal USD."),
      })
      .meta({ id: "SessionUsage" })
      .describe("What the session has used of its ceilings, by now. Zero where no policy limits it."),
    decisions: z
      .strictObject({ deny: z.int(), pause: z.int(), allow: z.int() })
      .meta({ id: "DecisionCounts" }),
    withdrawn: z.int().describe("Decisions that nobody got, because the gateway denied the call later."),
    without_outcome: z.int().describe("Allowed calls that nobody has reported about."),
    counted_rows: z.int().describe("Rows that the counts and names here come from: the newest 10,000."),
    counted_all: z.boolean().describe("Whether these are all rows of the session."),
    policies: z
      .array(
        z
          .strictObject({
            policy_id: z.string(),
            policy_version: z.int().nullable(),
            ...PART,
            ceilings: z
              .strictObject({
                max_steps: z.number().nullable(),
                max_usd_per_session: z.string().nullable().describe("Decimal USD."),
              })
              .meta({ id: "Ceilings" })
              .nullable()
              .describe("Null: the version could not be found."),
          })
          .meta({ id: "PolicyOfSession" }),
      )
      .readonly()
      .describe("Policy versions that governed the session, newest first."),
    kill_switches: z
      .array(z.strictObject({ kill_switch_id: z.string(), ...PART }).meta({ id: "KillSwitchOfSession" }))
      .readonly()
      .describe("Kill switches that stopped calls of the session, newest first."),
    switch_rows: z
      .array(auditRowSchema)
      .readonly()
      .describe("The newest rows of kill switches on this session, at most 50."),
    rows: z.array(auditRowSchema).readonly().describe("Decisions and reports of the session, newest first."),
    next_cursor: NEXT_CURSOR,
    ...INDEXED,
  })
  .meta({ id: "Session", description: "What one agent did in one session." });

export type SessionAnswer = z.output<typeof sessionSchema>;
