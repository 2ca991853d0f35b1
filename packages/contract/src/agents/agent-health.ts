import { z } from "zod";
import { timestampSchema } from "../fields/timestamp.ts";
import { severitySchema } from "../supervision/severity-schema.ts";
import { anomalySchema } from "./anomaly-schema.ts";
import { quarantineSchema } from "./quarantine.ts";

/** What severity means for the calls of a session; `unsupervised`: it sent no heartbeat. */
export const HEALTH_STATUSES = [
  "operational",
  "flagged",
  "tool_calls_suspended",
  "terminated",
  "unsupervised",
] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

export const healthStatusSchema = z.enum(HEALTH_STATUSES).meta({ id: "HealthStatus" });

const SUPERVISION = {
  agent_id: z.string(),
  session_id: z.string().nullable().describe("Null: the agent has no supervised session."),
  last_heartbeat: timestampSchema.nullable().describe("Null: it sent none."),
  missed_heartbeats: z.int(),
  severity: severitySchema,
  status: healthStatusSchema.describe("What the severity means for its calls."),
  escalation_eta_seconds: z
    .int()
    .nullable()
    .describe("Seconds until the next escalation without a heartbeat. Null: nothing escalates."),
};

const sessionHealthSchema = z
  .strictObject(SUPERVISION)
  .meta({ id: "SessionHealth", description: "The supervision of one session." });

const agentAnomalySchema = z
  .strictObject({
    id: z.string().describe("Id of its audit row."),
    time: timestampSchema,
    session_id: z.string().nullable(),
    anomaly: anomalySchema,
    explanation: z.string().describe("What was observed, for people."),
  })
  .meta({ id: "AgentAnomaly", description: "Behaviour that differs from what is expected." });

const coverageSchema = z
  .strictObject({
    since: timestampSchema.describe("Allowed calls of one hour are counted, from here."),
    until: timestampSchema.describe("To here: later calls may still get an outcome in time."),
    allows: z.int().describe("Allowed calls of keys that report in their session how calls ended."),
    outcomes: z.int().describe("Those of them with an outcome."),
    allows_without_outcome: z.int().describe("The others."),
    unreported_allows: z
      .int()
      .describe("Allowed calls of keys that reported no run in their session. They are not suspicious."),
    outcomes_without_decision: z
      .int()
      .describe("Calls of the last hour that ran, as was reported, although they were not allowed."),
    complete: z.boolean().describe("False: there are rows that were not counted."),
  })
  .meta({ id: "AgentCoverage", description: "Decisions of an agent, beside reports about them." });
export type AgentCoverage = Readonly<z.infer<typeof coverageSchema>>;

/** The answer of `GET agents/{id}/health`. Its first members are those of the worst session. */
export const agentHealthSchema = z
  .strictObject({
    ...SUPERVISION,
    sessions: z.array(sessionHealthSchema).readonly().describe("Supervised sessions, worst first."),
    next_cursor: z.string().nullable().describe("For more sessions. Null: these are all."),
    quarantine: quarantineSchema.nullable(),
    anomalies: z
      .array(agentAnomalySchema)
      .readonly()
      .describe("Those of the last 24 hours, the latest of each, newest first; at most 20."),
    coverage: coverageSchema
      .nullable()
      .describe("Whether what runs is what was asked about. Null: it could not be counted now."),
  })
  .meta({ id: "AgentHealth", description: "Heartbeats, severity and anomalies of an agent." });
export type AgentHealth = Readonly<z.infer<typeof agentHealthSchema>>;
