import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { healthStatusSchema } from "../agents/agent-health.ts";
import { nameSchema } from "../fields/name-schema.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { MAX_REASON_LENGTH } from "../limits.ts";
import { severitySchema } from "./severity-schema.ts";

/** Body of `POST agents/{id}/heartbeat`, with every default filled in. */
export interface Heartbeat {
  readonly session_id: string;
  /** The session that started this one; null: none did, or the heartbeat does not say. */
  readonly parent_session_id: string | null;
  /** True: the session has ended in good order, and no heartbeat of it is missed any more. */
  readonly ended: boolean;
}

/** Body of `POST agents/{id}/reauthenticate`. */
export interface Reauthentication {
  readonly session_id: string;
}

/** Body of `POST agents/{id}/reregister`, with every default filled in. */
export interface Reregistration {
  /** Null: every terminated session of the agent. */
  readonly session_id: string | null;
  readonly reason: string;
  readonly reregistered_by: string;
  /** Whether the kill switches that the detection activated on these sessions end, too. */
  readonly end_kill_switch: boolean;
}

const FLAG_EXPECTATION = "expected true or false";

const PERSON_EXPECTATION = `expected who does this, in 1 to ${String(MAX_REASON_LENGTH)} characters`;

const REASON_EXPECTATION = `expected why, in 1 to ${String(MAX_REASON_LENGTH)} characters`;

const text = (expected: string) =>
  z.string({ error: expected }).max(MAX_REASON_LENGTH, { error: expected }).regex(/\S/, { error: expected });

const heartbeatFields = z.strictObject({
  session_id: nameSchema.describe("The session that is alive. Supervision starts with its first one."),
  parent_session_id: nameSchema
    .nullable()
    .default(null)
    .describe("The session that started this one. Null: none, or as an earlier heartbeat said."),
  ended: z
    .boolean({ error: FLAG_EXPECTATION })
    .default(false)
    .describe(
      "True: the session ended in good order, so nobody waits for its heartbeats any more. It has no " +
        "effect at CRITICAL and EMERGENCY; the answer says so.",
    ),
});

export const heartbeatSchema = heartbeatFields.meta({
  id: "Heartbeat",
  description: "A sign of life of one session of the agent in the path.",
});

const reauthenticationFields = z.strictObject({
  session_id: nameSchema.describe("The session whose tool calls are suspended."),
});

export const reauthenticationSchema = reauthenticationFields.meta({
  id: "Reauthentication",
  description: "Ends CRITICAL for one session. It counts as a heartbeat of the session.",
});

const reregistrationFields = z.strictObject({
  session_id: nameSchema
    .nullable()
    .default(null)
    .describe("The terminated session. Null: every terminated session of the agent."),
  reason: text(REASON_EXPECTATION).describe("Why the agent may run again."),
  reregistered_by: text(PERSON_EXPECTATION).describe("Who decided it."),
  end_kill_switch: z
    .boolean({ error: FLAG_EXPECTATION })
    .default(false)
    .describe("True: the kill switches that the detection activated on these sessions end, too."),
});

export const reregistrationSchema = reregistrationFields.meta({
  id: "Reregistration",
  description: "The only way out of EMERGENCY.",
});

/** The answer to a heartbeat and to a re-authentication. */
export const supervisionAnswerSchema = z
  .strictObject({
    agent_id: z.string(),
    session_id: z.string(),
    severity: severitySchema.describe(
      "How the session is rated now. What this request changes about it comes within a second.",
    ),
    status: healthStatusSchema.describe("What the severity means for its calls."),
    interval_seconds: z.int().describe("Seconds after which the next heartbeat is expected."),
    missed_heartbeats: z.int().describe("0: this one has arrived."),
    reauthenticate: z
      .boolean()
      .describe("True: tool calls stay suspended until the agent authenticates again."),
    ended: z
      .boolean()
      .describe(
        "True: supervision of the session has ended. False although the heartbeat said `ended`: it is at " +
          "CRITICAL or above, and stays supervised. The heartbeat counts as any other.",
      ),
  })
  .meta({ id: "SupervisionAnswer", description: "How the session is supervised." });
export type SupervisionAnswer = Readonly<z.infer<typeof supervisionAnswerSchema>>;

/** The answer to a re-registration. */
export const reregisteredSchema = z
  .strictObject({
    agent_id: z.string(),
    session_ids: z.array(z.string()).readonly().describe("Sessions that are not terminated any more."),
    ended_kill_switches: z.array(z.string()).readonly().describe("Kill switches that this request ended."),
    active_kill_switches: z
      .array(z.string())
      .readonly()
      .describe("Kill switches that still stop calls of these sessions."),
    remaining: z.boolean().describe("True: more sessions are terminated. Repeat the request for them."),
  })
  .meta({ id: "Reregistered", description: "What the re-registration ended." });
export type Reregistered = Readonly<z.infer<typeof reregisteredSchema>>;

export function parseHeartbeat(value: JsonValue): Parsed<Heartbeat> {
  return parseWith(heartbeatSchema, value, nearestField(Object.keys(heartbeatFields.shape)));
}

export function parseReauthentication(value: JsonValue): Parsed<Reauthentication> {
  return parseWith(reauthenticationSchema, value, nearestField(Object.keys(reauthenticationFields.shape)));
}

export function parseReregistration(value: JsonValue): Parsed<Reregistration> {
  return parseWith(reregistrationSchema, value, nearestField(Object.keys(reregistrationFields.shape)));
}
