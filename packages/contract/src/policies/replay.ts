import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { readTime, TIME_EXPECTATION } from "@svc/text/time-text";
import { z } from "zod";
import { governanceModeSchema } from "../execute/decision-schema.ts";
import { reasonCodeSchema } from "../execute/reason-code-schema.ts";
import { nameSchema } from "../fields/name-schema.ts";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { MAX_REPLAYED_AGENTS } from "../limits.ts";

/** What can become of a recorded decision under another policy. */
const REPLAY_CHANGES = [
  "newly_denied",
  "newly_allowed",
  "newly_paused",
  "newly_rewritten",
  "rewritten_otherwise",
] as const;
export type ReplayChange = (typeof REPLAY_CHANGES)[number];

/** A time or a date, as the canonical time in UTC with milliseconds. */
const timeSchema = z
  .string({ error: TIME_EXPECTATION })
  .refine((text) => readTime(text) !== null, { error: TIME_EXPECTATION })
  .transform((text) => new Date(readTime(text) ?? 0).toISOString())
  .meta({ jsonSchema: { type: "string", format: "date-time" } });

export const rangeFields = {
  since: timeSchema.describe("The first time that is in."),
  until: timeSchema.optional().describe("The first time that is not. Absent: now."),
};

/** Body of a replay. */
export const replayRequestSchema = z
  .strictObject({
    document: z
      .union([z.string(), z.custom<JsonObject>((value) => isJsonObject(value as JsonValue))], {
        error: "expected a policy document: a text of YAML or JSON, or the same fields as an object",
      })
      .optional()
      .describe("The candidate: a text of YAML or JSON, or the same fields as an object.")
      .meta({ jsonSchema: { type: ["string", "object"] } }),
    version: z
      .int({ error: "expected a version number" })
      .min(1)
      .optional()
      .describe("A stored version as the candidate. Absent, without `document`: the latest."),
    base_version: z
      .int({ error: "expected a version number" })
      .min(1)
      .optional()
      .describe(
        "A stored version, with whose decisions those of the candidate are compared. Absent: with the " +
          "recorded ones.",
      ),
    ...rangeFields,
    agents: z
      .array(nameSchema)
      .min(1)
      .max(MAX_REPLAYED_AGENTS)
      .optional()
      .describe("Calls of these agents, whatever governed them. Absent: calls that the policy governed."),
  })
  .refine(({ document, version }) => document === undefined || version === undefined, {
    path: ["document"],
    error: "expected at most one of document and version",
  })
  .meta({ id: "ReplayRequest", description: "A candidate, and the calls that it decides again." });

export interface ReplayRequest {
  readonly candidate:
    | { readonly kind: "document"; readonly source: string; readonly isJson: boolean }
    /** A null version is the latest. */
    | { readonly kind: "stored"; readonly version: number | null };
  /** A stored version to compare with. Null: the decisions as they were recorded. */
  readonly baseVersion: number | null;
  readonly since: string;
  /** Null: now. */
  readonly until: string | null;
  readonly agents: readonly string[] | null;
}

export function parseReplay(value: JsonValue): Parsed<ReplayRequest> {
  const names = ["document", "version", "base_version", "since", "until", "agents"];
  const parsed = parseWith(replayRequestSchema, value, nearestField(names));
  if (!parsed.ok) return parsed;
  const { document, version = null, since, until = null, agents = null } = parsed.value;
  const range = { baseVersion: parsed.value.base_version ?? null, since, until, agents };
  if (document === undefined)
    return { ok: true, value: { candidate: { kind: "stored", version }, ...range } };
  const isJson = typeof document !== "string";
  const source = typeof document === "string" ? document : JSON.stringify(document);
  return { ok: true, value: { candidate: { kind: "document", source, isJson }, ...range } };
}

const count = (text: string) => z.int().min(0).describe(text);

const groupSchema = z
  .strictObject({
    change: z.enum(REPLAY_CHANGES),
    tool: z.string(),
    rule_id: z
      .string()
      .nullable()
      .describe("The rule of the candidate that decides. Null: a list or default."),
    reason_code: reasonCodeSchema.nullable(),
    was_rule_id: z.string().nullable().describe("As recorded, or of the version that is compared with."),
    was_reason_code: reasonCodeSchema.nullable(),
    count: z.int(),
    examples: z.array(z.string()).readonly().describe("Ids of the first decisions."),
  })
  .meta({ id: "ReplayGroup", description: "Decisions of one tool that change in one way." });
export type ReplayGroup = Readonly<z.infer<typeof groupSchema>>;

const resultSchema = z
  .strictObject({
    calls: count("Decisions that were made again."),
    unchanged: count("Decisions that are as recorded, or as those of the version that is compared with."),
    newly_denied: count("Decisions that become a deny."),
    newly_allowed: count("Decisions that become an allow."),
    newly_paused: count("Decisions that become a pause."),
    newly_rewritten: count("Allowed calls whose arguments the candidate rewrites, and nothing did before."),
    rewritten_otherwise: count(
      "Allowed calls whose arguments are rewritten in another way, or not any more.",
    ),
    masked: count("Calls whose row masks a value. They are decided with the mask."),
    undecided: z
      .strictObject({
        masked: count("The candidate reads what a mask stands for."),
        session: count("An undecided call before leaves the usage of the session unknown."),
      })
      .meta({ id: "UndecidedCounts" })
      .describe("Decisions about which nothing is claimed. They are in no other count."),
    would_be: z
      .strictObject({ deny: z.int(), pause: z.int() })
      .meta({ id: "WouldBeCounts" })
      .describe("What enforcement would answer where the mode of the candidate allows."),
    not_replayed: z
      .strictObject({ kill_switch: z.int(), fault: z.int(), gateway: z.int() })
      .meta({ id: "NotReplayedCounts" })
      .describe("Denied calls of the named agents that no policy decided."),
    approvals_used: count("Allowed calls that the candidate pauses, whose approval had been granted."),
    sessions: count("Sessions whose usage was rebuilt."),
    outcomes_applied: count("Outcomes that changed what a session had used."),
    rows_removed: count("Rows of the range that retention has removed."),
    groups: z.array(groupSchema).readonly().describe("What changes, by rule and tool, most decisions first."),
    groups_left_out: count(
      "Changed decisions that no group counts, because the result lists a limited number of groups.",
    ),
    digest: z.string().describe("Digest of this result. The same input gives the same digest."),
  })
  .meta({ id: "ReplayResult", description: "What the candidate changes." });
export type ReplayResult = Readonly<z.infer<typeof resultSchema>>;

export const REPLAY_STATUSES = ["queued", "running", "completed", "failed", "cancelled"] as const;

export const replaySchema = z
  .strictObject({
    id: z.string(),
    policy_id: z.string(),
    candidate: z
      .strictObject({
        version: z.int().nullable().describe("Null: a document of the request."),
        document_digest: z.string(),
        mode: governanceModeSchema,
      })
      .meta({ id: "ReplayCandidate" }),
    base_version: z
      .int()
      .nullable()
      .optional()
      .describe("The version that the candidate is compared with. Null: the recorded decisions."),
    since: timestampSchema,
    until: timestampSchema,
    agents: z.array(z.string()).readonly().nullable(),
    status: z.enum(REPLAY_STATUSES),
    reason: z.string().nullable().describe("Why it failed."),
    progress: z.strictObject({ rows_read: z.int(), rows_total: z.int() }).meta({ id: "ReplayProgress" }),
    created_at: timestampSchema,
    created_by: z.string(),
    ended_at: timestampSchema.nullable(),
    result: resultSchema.nullable().describe("Null until it is completed."),
  })
  .meta({ id: "Replay", description: "Recorded calls that are decided again under a candidate." });
export type ReplayRecord = Readonly<z.infer<typeof replaySchema>>;

export const replayPageSchema = pageSchema("replays", replaySchema).meta({
  id: "ReplayPage",
  description: "A page of replays.",
});
