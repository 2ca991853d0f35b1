import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { INDEXED } from "../audit/audit-answer.ts";
import { addressableNameSchema } from "../fields/addressable-name.ts";
import { answerForms } from "../fields/answer-forms.ts";
import { NAME_EXPECTATION } from "../fields/name.ts";
import { nameSchema, nameSchemaFor } from "../fields/name-schema.ts";
import { pageSchema } from "../fields/page.ts";
import { type FixFor, nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { sentenceSchema } from "../fields/sentence-schema.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { acknowledgementFields } from "../gateways/acknowledgement.ts";
import { countedCallersSchema, recentCallersSchema } from "../kill-switches/recent-callers.ts";
import { type Severity } from "../supervision/severity.ts";
import { severitySchema } from "../supervision/severity-schema.ts";
import { MAX_AGENT_LABEL_LENGTH, MAX_AGENT_LABELS, MAX_AGENT_NAME_LENGTH } from "./agent-limits.ts";
import { quarantineSchema } from "./quarantine.ts";

/**
 * `registered`: somebody registered it. `discovered`: nobody did, but it called or sent heartbeats.
 * `suspended` and `terminated`: its worst session is CRITICAL or EMERGENCY.
 */
export const AGENT_STATUSES = ["registered", "discovered", "suspended", "terminated"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

const agentStatusSchema = z.enum(AGENT_STATUSES).meta({ id: "AgentStatus" });

const RECORD = {
  id: nameSchema.describe("What calls, policies and kill switches name."),
  name: z.string().describe("A name for people."),
  namespace: nameSchema.describe(
    "The namespace of its calls. For a discovered agent: that of its latest call, else heartbeat.",
  ),
  provider: z.string().nullable().describe("Who provides the model or the platform."),
  tags: z.array(z.string()).readonly().describe("Words for finding agents."),
  capabilities: z.array(z.string()).readonly().describe("What the agent says it can do."),
  parent_agent_id: z.string().nullable().describe("The agent that starts this one."),
  status: agentStatusSchema.describe("Computed from its registration and its sessions."),
  severity: severitySchema.describe("The worst severity of its sessions."),
  last_heartbeat: timestampSchema.nullable().describe("The latest of any session. Null: it sent none."),
  quarantine: quarantineSchema.nullable().describe("Null: the agent is not in quarantine."),
  first_seen: timestampSchema.nullable().describe("Its first call. Null: it has not called."),
  last_seen: timestampSchema.nullable().describe("Its latest call. Null: it has not called."),
  registered_at: timestampSchema.nullable().describe("Null: nobody registered it."),
  created_by: z.string().nullable().describe("Id of the key that registered it. Null: nobody did."),
};

/** An agent in its wire form. */
export const agentSchema = z.strictObject(RECORD).meta({
  id: "Agent",
  description: "An agent that is registered, that has called, or that sends heartbeats.",
});
export type AgentRecord = Readonly<z.infer<typeof agentSchema>>;

export const agentPageSchema = pageSchema("agents", agentSchema).extend(INDEXED).meta({
  id: "AgentPage",
  description: "A page of agents, by id.",
});

export type AgentPageAnswer = Readonly<z.infer<typeof agentPageSchema>>;

const ENFORCED = {
  ...acknowledgementFields,
  enforced: z.boolean().describe("True only when every known gateway has acknowledged that it acts by it."),
};

/** The answer to a change of a registration. */
export const changedAgentSchema = agentSchema
  .extend(ENFORCED)
  .meta({ id: "ChangedAgent", description: "An agent after a change, and the gateways that act by it." });

/** The answer to a quarantine. */
export const quarantinedAgentSchema = changedAgentSchema
  .extend({
    kind: z.literal("quarantined"),
    propagation_ms: z
      .number()
      .nullable()
      .describe("Milliseconds to the slowest acknowledgement. Null while there is none."),
    extended: z.boolean().describe("Whether this request gave a quarantine a later end."),
    affected: recentCallersSchema.nullable().describe("Null: that is not known."),
  })
  .meta({
    id: "QuarantinedAgent",
    description: "An agent in quarantine, and the gateways that hold it there.",
  });

/** The answer to the dry run of a quarantine. It limits nothing. */
export const quarantineDryRunSchema = z
  .strictObject({
    kind: z.literal("dry_run"),
    dry_run: z.literal(true),
    enforced: z.literal(false).describe("Nothing was limited."),
    agent_id: z.string(),
    ...acknowledgementFields,
    propagation_ms: z.number().nullable(),
    affected: countedCallersSchema
      .nullable()
      .describe("Calls of the agent. Of these, only those of read-only tools would go on. Null: not known."),
  })
  .meta({ id: "QuarantineDryRun", description: "Who would be limited, and how fast." });

/** The answer to a request for a quarantine. */
export const quarantineAnswerSchema = answerForms("kind", [quarantinedAgentSchema, quarantineDryRunSchema], {
  id: "QuarantineAnswer",
  description: "An agent in quarantine, or what a dry run found.",
});

/** The answer to a removal. */
export const removedAgentSchema = z
  .strictObject({
    id: z.string(),
    removed: z.literal(true),
    effect: z.string().describe("What changes for its calls, in words."),
    ...ENFORCED,
  })
  .meta({ id: "RemovedAgent", description: "An agent that is no longer registered." });

const agentSessionSchema = z
  .strictObject({
    session_id: z.string(),
    rows: z.int().describe("Rows of the audit log about it, among those that were counted."),
    first_at: timestampSchema.describe("Its first row."),
    last_at: timestampSchema.describe("Its latest row."),
  })
  .meta({ id: "AgentSession", description: "A session of an agent, by the rows of the audit log." });

export const agentSessionPageSchema = pageSchema("sessions", agentSessionSchema)
  .extend({
    counted_all: z.boolean().describe("False: only the newest 10,000 rows of the agent were counted."),
    ...INDEXED,
  })
  .meta({ id: "AgentSessionPage", description: "A page of sessions, the latest first." });

export type AgentSessionPageAnswer = Readonly<z.infer<typeof agentSessionPageSchema>>;

/** Which agents a list shows. Null: all. */
export interface AgentFilters {
  readonly ids: readonly string[] | null;
  readonly severities: readonly Severity[] | null;
  readonly statuses: readonly AgentStatus[] | null;
  readonly namespaces: readonly string[] | null;
  readonly tag: string | null;
  readonly text: string | null;
}

const DISPLAY_NAME_EXPECTATION =
  `expected 1 to ${String(MAX_AGENT_NAME_LENGTH)} characters, ` +
  "without control characters and not only white space";

const text = () =>
  z
    .string({ error: DISPLAY_NAME_EXPECTATION })
    .max(MAX_AGENT_NAME_LENGTH, { error: DISPLAY_NAME_EXPECTATION })
    .regex(/^(?=.*\S)\P{Cc}*$/u, { error: DISPLAY_NAME_EXPECTATION });

const LABEL_EXPECTATION =
  `expected a word of 1 to ${String(MAX_AGENT_LABEL_LENGTH)} characters, ` +
  "without commas, control characters and white space at its ends";
const LABELS_EXPECTATION = `expected a list of at most ${String(MAX_AGENT_LABELS)} words`;

/** Words without a comma, because a filter separates them by commas. */
const labels = () =>
  z
    .array(
      z
        .string({ error: LABEL_EXPECTATION })
        .max(MAX_AGENT_LABEL_LENGTH, { error: LABEL_EXPECTATION })
        .regex(/^(?!\s)[^\p{Cc},]+(?<!\s)$/u, { error: LABEL_EXPECTATION }),
      { error: LABELS_EXPECTATION },
    )
    .max(MAX_AGENT_LABELS, { error: LABELS_EXPECTATION })
    .transform((words): readonly string[] => [...new Set(words)]);

const name = text().describe("What people call it.");
const namespace = nameSchema.describe("The namespace of its calls. A call that names another is denied.");
const provider = text().nullable().describe("Who provides the model or the platform.");
const tags = labels().describe("Words for finding agents.");
const capabilities = labels().describe("What the agent can do.");
const parent = nameSchemaFor(`the id of a registered agent: ${NAME_EXPECTATION}`)
  .nullable()
  .describe("The registered agent that starts this one. Null: none.");

/** What a registration and an adoption have in common. Absent in an adoption: what the calls said. */
const DESCRIPTION = {
  name: name.optional().describe("What people call it. Absent: the id."),
  provider: provider.default(null),
  tags: tags.default([]),
  capabilities: capabilities.default([]),
  parent_agent_id: parent.default(null),
  reason: sentenceSchema("the reason").optional().describe("Why, for the audit log."),
};

const registrationFields = z.strictObject({
  id: addressableNameSchema.describe("What its calls name. It never changes."),
  namespace,
  ...DESCRIPTION,
});

/** Body of `POST agents`. */
export const agentRegistrationSchema = registrationFields
  .transform((body) => ({ ...body, name: body.name ?? body.id }))
  .meta({ id: "AgentRequest", description: "An agent and the namespace of its calls." });
export type AgentRegistration = Readonly<z.infer<typeof agentRegistrationSchema>>;

/** Body of `POST agents/{id}/adopt`. */
export const agentAdoptionSchema = z
  .strictObject({
    namespace: namespace
      .optional()
      .describe("Absent: that of its latest call, else of its latest heartbeat."),
    ...DESCRIPTION,
  })
  .meta({ id: "AgentAdoption", description: "What is left out is what the agent's calls said, or nothing." });
export type AgentAdoption = Readonly<z.infer<typeof agentAdoptionSchema>>;

const updateFields = z.strictObject({
  name: name.optional(),
  namespace: namespace.optional(),
  provider: provider.optional(),
  tags: tags.optional(),
  capabilities: capabilities.optional(),
  parent_agent_id: parent.optional(),
});

/** Body of `PATCH agents/{id}`. What it leaves out stays as it is. */
export const agentUpdateSchema = updateFields
  .refine((body) => Object.keys(body).length > 0, {
    error: `expected one or more of ${Object.keys(updateFields.shape).join(", ")}`,
  })
  .meta({ id: "AgentUpdate", description: "What is left out stays as it is." });
export type AgentUpdate = Readonly<z.infer<typeof agentUpdateSchema>>;

/** Names that people write for one of ours and that no edit leads to. */
const SYNONYMS: Readonly<Record<string, string>> = {
  agent: "id",
  agent_id: "id",
  namespace_id: "namespace",
  parent: "parent_agent_id",
  parent_id: "parent_agent_id",
  labels: "tags",
  vendor: "provider",
};

function fixAmong(fields: readonly string[]): FixFor {
  return (path, found) => {
    const [field] = path;
    if (path.length !== 1 || typeof field !== "string" || fields.includes(field)) return null;
    const meant = SYNONYMS[field];
    if (Object.hasOwn(SYNONYMS, field) && meant !== undefined && fields.includes(meant))
      return `write ${JSON.stringify(meant)}`;
    if (COMPUTED.has(field)) return "leave it out; it is computed";
    return nearestField(fields)(path, found);
  };
}

const COMPUTED: ReadonlySet<string> = new Set([
  "status",
  "severity",
  "last_heartbeat",
  "first_seen",
  "last_seen",
]);

const registrationFix = fixAmong(Object.keys(registrationFields.shape));
const adoptionFix = fixAmong(Object.keys(agentAdoptionSchema.shape));
const updateFixAmong = fixAmong(Object.keys(updateFields.shape));

const updateFix: FixFor = (path, found) => {
  const [field] = path;
  if (field === "id" || field === "agent_id") return "an id never changes; register another agent";
  if (field === "quarantine") return "send POST agents/<id>/quarantine";
  return updateFixAmong(path, found);
};

export function parseAgentRegistration(value: JsonValue): Parsed<AgentRegistration> {
  return parseWith(agentRegistrationSchema, value, registrationFix);
}

export function parseAgentAdoption(value: JsonValue): Parsed<AgentAdoption> {
  return parseWith(agentAdoptionSchema, value, adoptionFix);
}

export function parseAgentUpdate(value: JsonValue): Parsed<AgentUpdate> {
  return parseWith(agentUpdateSchema, value, updateFix);
}
