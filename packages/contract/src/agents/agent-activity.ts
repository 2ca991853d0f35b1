import { z } from "zod";
import { INDEXED } from "../audit/audit-answer.ts";
import { decisionSchema } from "../execute/decision-schema.ts";
import { timestampSchema } from "../fields/timestamp.ts";

/** What a list of the busiest agents can be sorted by. */
export const BUSY_SORTS = ["calls", "deny", "pause", "cost"] as const;

/** Most agents of one answer, as count. */
export const MAX_BUSY_AGENTS = 1_000;

/** Agents of an answer when no number is asked for, as count: what a screen shows. */
export const DEFAULT_BUSY_AGENTS = 20;

const CALLS = {
  calls: z.int(),
  calls_per_minute: z.number(),
  deny: z.int().describe("Calls that were denied, also after their row was written."),
  pause: z.int(),
  cost_usd: z
    .string()
    .describe("What the allowed calls named, and what reports say that they cost more. Decimal USD."),
  sessions: z
    .int()
    .nullable()
    .describe(
      "Sessions with a call before the end of the time and one after its start. Null: too many to count.",
    ),
};

/** What an agent did in the hour before. */
const earlierCallsSchema = z
  .strictObject(CALLS)
  .meta({ id: "EarlierCalls", description: "What an agent did in the hour before." });

/** One of the busiest agents. */
const busyAgentSchema = z
  .strictObject({
    agent_id: z.string(),
    namespace: z.string().describe("The namespace of its latest call."),
    ...CALLS,
    busiest_minute: z.int().describe("Calls of its busiest minute of the time."),
    before: earlierCallsSchema.describe("The same of the hour before `since`, or of what is known of it."),
  })
  .meta({ id: "BusyAgent", description: "What one agent did in a time, beside the hour before." });

/** `GET agents/top`. */
export const busyAgentsSchema = z
  .strictObject({
    since: timestampSchema.describe("The start of the time: a whole minute."),
    until: timestampSchema.describe("The end of the time: now."),
    before: timestampSchema.describe("The start of the hour before that the time is compared with."),
    known_since: timestampSchema
      .nullable()
      .describe(
        "The first minute with a call of any agent. Later than `before`: less than the hour is compared, " +
          "and nothing when it is not before `since`. Null: no call is known.",
      ),
    agents: z.array(busyAgentSchema).readonly(),
    callers: z.int().describe("How many agents called in the time."),
    counted_all: z
      .boolean()
      .describe("False: too many agents called in too many minutes, and the earliest minutes are left out."),
    ...INDEXED,
  })
  .meta({ id: "BusyAgents", description: "Agents that called most, and what they did in the hour before." });

export type BusyAgentsAnswer = z.output<typeof busyAgentsSchema>;

const COUNTS = {
  deny: z.int(),
  pause: z.int(),
  allow: z.int(),
  withdrawn: z.int().describe("Decisions that nobody got, because the gateway denied the call later."),
};

const GROUP = { ...COUNTS, first_at: timestampSchema, last_at: timestampSchema };

const LEFT_OUT = z.int().describe("Calls of others that the list does not name.");

/** The calls of one tool. */
const toolCallsSchema = z
  .strictObject({ tool: z.string(), ...GROUP })
  .meta({ id: "AgentToolCalls", description: "The calls of one tool by one agent." });

/** The calls of one session. */
const sessionCallsSchema = z
  .strictObject({ session_id: z.string().nullable(), ...GROUP })
  .meta({ id: "AgentSessionCalls", description: "The calls of one session of one agent." });

/** The calls that one rule decided in one way. */
const verdictCallsSchema = z
  .strictObject({
    decision: decisionSchema,
    would_be: decisionSchema.optional().describe("What enforcement would have answered. Absent: the same."),
    rule_id: z.string().nullable(),
    reason: z.string().nullable().describe("Of one of these calls."),
    reason_code: z.string().nullable(),
    calls: z.int(),
    withdrawn: z.int(),
    first_at: timestampSchema,
    last_at: timestampSchema,
  })
  .meta({ id: "AgentVerdictCalls", description: "Calls of one agent that one rule decided in one way." });

/** The sum of a numeric argument. */
const argumentSumSchema = z
  .strictObject({
    tool: z.string(),
    decision: decisionSchema.describe("A call that was withdrawn counts as denied."),
    argument: z.string().describe("Names joined by points. `*` is every element of a list."),
    values: z.int().describe("Numbers that were added."),
    sum: z.number().describe("To 15 significant digits."),
    min: z.number(),
    max: z.number(),
  })
  .meta({ id: "ArgumentSum", description: "What a numeric argument of the calls of a tool added up to." });

/** One of the newest calls. */
const sampleCallSchema = z
  .strictObject({
    decision_id: z.string(),
    time: timestampSchema,
    tool: z.string(),
    session_id: z.string().nullable(),
    decision: decisionSchema,
    withdrawn: z.boolean(),
    reason: z.string().nullable(),
    args: z.record(z.string(), z.unknown()).describe("As the row has them, with what it masks."),
  })
  .meta({ id: "SampleCall", description: "One of the newest calls of an agent." });

/** `GET agents/{agent_id}/activity`. */
export const agentActivitySchema = z
  .strictObject({
    agent_id: z.string(),
    since: timestampSchema,
    until: timestampSchema,
    ...COUNTS,
    first_at: timestampSchema.nullable().describe("The first call of the time. Null: it did not call."),
    last_at: timestampSchema.nullable(),
    tools: z.array(toolCallsSchema).readonly(),
    tools_left_out: LEFT_OUT,
    sessions: z.array(sessionCallsSchema).readonly(),
    sessions_left_out: LEFT_OUT,
    verdicts: z
      .array(verdictCallsSchema)
      .readonly()
      .describe("By decision and rule; without a rule by reason."),
    verdicts_left_out: LEFT_OUT,
    arguments: z
      .array(argumentSumSchema)
      .readonly()
      .describe("Sums of numeric arguments of the newest `read_calls` calls. Masked values add nothing."),
    arguments_left_out: z.int().describe("Numbers that were not added, beyond 200 different sums."),
    samples: z
      .array(sampleCallSchema)
      .readonly()
      .describe("The newest two calls of each tool and decision, at most 20."),
    read_calls: z
      .int()
      .describe("Calls that sums and samples come from: the newest 5,000, or 8 MiB of them."),
    counted_all: z.boolean().describe("False: only the newest 50,000 calls of the time are counted."),
    ...INDEXED,
  })
  .meta({ id: "AgentActivity", description: "What one agent did in a time." });

export type AgentActivityAnswer = z.output<typeof agentActivitySchema>;
