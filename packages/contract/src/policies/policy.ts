import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { decisionSchema, governanceModeSchema } from "../execute/decision-schema.ts";
import { answerForms } from "../fields/answer-forms.ts";
import { identifierSchema } from "../fields/identifier-schema.ts";
import { nameSchema } from "../fields/name-schema.ts";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { acknowledgementFields, measuredAcknowledgementFields } from "../gateways/acknowledgement.ts";
import { labelsSchema } from "./policy-labels.ts";
import { whyMember } from "./why.ts";

/** Media types in which a policy document can come in and go out. */
export type PolicyMediaType = "application/yaml" | "application/json";

const documentSchema = z.custom<JsonObject>().meta({
  jsonSchema: { type: "object" },
  description: "The document as JSON of the same fields as the YAML form.",
});

const documentArgsSchema = z.custom<JsonObject>().meta({ jsonSchema: { type: "object" } });

const IDENTITY = { id: z.string(), version: z.int() };

const STATE = {
  enabled: z.boolean().describe("False: every call that the policy governs is denied."),
  archived: z.boolean().describe("Whether it is put away: it governs nothing, and its id stays taken."),
  labels: labelsSchema,
};

/** What operators set beside the document. It is a fact about the policy, not about a version. */
export type PolicyState = Readonly<z.infer<z.ZodObject<typeof STATE>>>;

const NAME = { name: z.string().nullable() };

const ORIGIN = {
  created_at: timestampSchema.describe("When this version was written."),
  created_by: z.string(),
  rolled_back_to: z
    .int()
    .nullable()
    .describe("The version whose content a rollback restored. Null for an ordinary change."),
  why: z.string().nullable().describe("Why this version was written, as its author said."),
  guardrails: z
    .array(z.string())
    .readonly()
    .optional()
    .describe("The versions of guardrails that are part of it, such as `pci@3`. Absent: it names none."),
};

/** One immutable version of a policy. */
export const policyVersionSchema = z
  .strictObject({ ...IDENTITY, ...NAME, document: documentSchema, ...ORIGIN })
  .meta({ id: "PolicyVersion", description: "One version of a policy. Versions never change." });
export type PolicyVersionRecord = Readonly<z.infer<typeof policyVersionSchema>>;

/** A policy in its latest version. */
export const policySchema = z
  .strictObject({ ...IDENTITY, ...STATE, ...NAME, document: documentSchema, ...ORIGIN })
  .meta({ id: "Policy", description: "A policy in its latest version." });
export type PolicyRecord = Readonly<z.infer<typeof policySchema>>;

/** A version in a list, which holds no documents: a page of them could have 50 MB. */
export const policyVersionItemSchema = z
  .strictObject({ ...IDENTITY, ...NAME, ...ORIGIN })
  .meta({ id: "PolicyVersionItem", description: "One version of a policy, without its document." });
export type PolicyVersionItem = Readonly<z.infer<typeof policyVersionItemSchema>>;

/** A policy in a list. */
export const policyItemSchema = z
  .strictObject({ ...IDENTITY, ...STATE, mode: governanceModeSchema, ...NAME, ...ORIGIN })
  .meta({ id: "PolicyItem", description: "A policy in its latest version, without its document." });
export type PolicyItem = Readonly<z.infer<typeof policyItemSchema>>;

export const policyPageSchema = pageSchema("policies", policyItemSchema).meta({
  id: "PolicyPage",
  description: "A page of policies, each in its latest version.",
});

export const policyVersionPageSchema = pageSchema("versions", policyVersionItemSchema).meta({
  id: "PolicyVersionPage",
  description: "A page of the versions of one policy, newest first.",
});

/** Binds a policy to one agent or to one namespace; exactly one of the two is set. */
export const policyAssignmentSchema = z
  .strictObject({
    id: z.string(),
    policy_id: z.string(),
    agent_id: z.string().nullable(),
    namespace_id: z.string().nullable(),
    created_at: timestampSchema,
    created_by: z.string(),
  })
  .meta({ id: "PolicyAssignment", description: "Binds a policy to one agent or to one namespace." });
export type PolicyAssignmentRecord = Readonly<z.infer<typeof policyAssignmentSchema>>;

export const policyAssignmentPageSchema = pageSchema("policy_assignments", policyAssignmentSchema).meta({
  id: "PolicyAssignmentPage",
  description: "A page of assignments, by id.",
});

/** The answer to an assignment or its removal. */
export const changedAssignmentSchema = policyAssignmentSchema
  .extend({
    ...measuredAcknowledgementFields,
    propagation_ms: measuredAcknowledgementFields.propagation_ms.optional(),
    gateways: measuredAcknowledgementFields.gateways.optional(),
  })
  .meta({ id: "ChangedPolicyAssignment", description: "An assignment, and which gateways follow it." });

const witnessSchema = z
  .strictObject({
    call: z
      .strictObject({
        agent_id: z.string(),
        session_id: z.string().nullable(),
        namespace: z.string(),
        tool: z.string(),
        args: documentArgsSchema,
        session: z.strictObject({ steps: z.int(), cost_usd: z.string() }).meta({ id: "WitnessUsage" }),
        time: timestampSchema,
      })
      .meta({ id: "WitnessCall" })
      .describe("As `calls` of a simulation takes it."),
    decision: decisionSchema.describe("What the policy answers to it, before mode and ceilings."),
  })
  .meta({ id: "Witness", description: "A call that shows a finding." });

/** A finding about a policy document, as docs/POLICY.md explains its codes. */
export const policyFindingSchema = z
  .strictObject({
    severity: z.enum(["error", "warning"]),
    code: z.string().describe("Stable, for programs: `policy/unknown-key`."),
    pointer: z.string().describe("An RFC 6901 pointer into the document. Empty for the whole document."),
    file: z.string().nullable(),
    line: z.int(),
    column: z.int(),
    excerpt: z.string().describe("The line of the document that the finding is about."),
    message: z.string(),
    expected: z.string(),
    found: z.string(),
    fix: z.string().describe("What to write instead."),
    related: z
      .strictObject({ line: z.int(), column: z.int(), excerpt: z.string() })
      .meta({ id: "DocumentPlace" })
      .nullable()
      .describe("The second place of a conflict."),
    witness: witnessSchema.nullable().describe("A call that shows the finding. Null where no call can."),
  })
  .meta({ id: "PolicyFinding", description: "A finding about a policy document." });

export const warningsField = z
  .array(policyFindingSchema)
  .readonly()
  .describe("Findings that do not refuse the document.");

/** The answer to a new version. */
export const changedPolicySchema = policySchema
  .extend({
    warnings: warningsField,
    kind: z.literal("changed"),
    assignment: policyAssignmentSchema
      .nullable()
      .optional()
      .describe("What the `agent_id` of a new policy's document has bound. Null: it names no agent."),
    ...measuredAcknowledgementFields,
  })
  .meta({ id: "ChangedPolicy", description: "A new version of a policy, and which gateways decide by it." });

/** Which gateways decide by a policy. */
export const policyInForceSchema = z
  .strictObject({
    policy_id: z.string(),
    version: z.int().describe("The latest version."),
    enabled: STATE.enabled,
    ...acknowledgementFields,
  })
  .meta({ id: "PolicyInForce", description: "Which gateways decide by the latest version of a policy." });
export type PolicyInForce = Readonly<z.infer<typeof policyInForceSchema>>;

/** The answer to a change of a policy's state. */
export const movedPolicySchema = policySchema
  .extend(measuredAcknowledgementFields)
  .meta({ id: "MovedPolicy", description: "A policy in its new state, and which gateways know of it." });

/** The answer to a dry run. */
export const policyDryRunSchema = z
  .strictObject({
    warnings: warningsField,
    kind: z.literal("dry_run"),
    dry_run: z.literal(true),
    id: z.string(),
    name: z.string().nullable(),
    document: documentSchema,
  })
  .meta({ id: "PolicyDryRun", description: "What a valid document says. Nothing was stored." });

/** The answer to a new document of a policy. */
export const policyAnswerSchema = answerForms("kind", [changedPolicySchema, policyDryRunSchema], {
  id: "PolicyAnswer",
  description: "A version that is stored, or what a dry run found.",
});

/** A request to bind a policy to one agent or one namespace; exactly one of the two is set. */
export interface PolicyAssignmentRequest {
  readonly policy_id: string;
  readonly agent_id: string | null;
  readonly namespace_id: string | null;
}

export interface RollbackRequest {
  readonly target_version: number;
  readonly why: string | null;
}

/** Body of an assignment. */
export const policyAssignmentRequestSchema = z
  .strictObject({
    policy_id: identifierSchema.describe("The policy that is to govern."),
    agent_id: nameSchema.nullable().default(null).describe("The agent that it governs."),
    namespace_id: nameSchema.nullable().default(null).describe("The namespace that it governs."),
  })
  .refine((body) => (body.agent_id === null) !== (body.namespace_id === null), {
    path: ["agent_id"],
    error: "expected exactly one of agent_id and namespace_id",
  })
  .meta({ id: "PolicyAssignmentRequest", description: "Exactly one of agent_id and namespace_id is set." });

/** Body of a rollback. */
export const rollbackSchema = z
  .strictObject({
    target_version: z
      .int({ error: "expected a version number" })
      .min(1, { error: "expected a version number from 1" })
      .describe("The version whose content comes back."),
    why: whyMember,
  })
  .meta({ id: "RollbackRequest", description: "Which version to go back to." });

export function parsePolicyAssignment(value: JsonValue): Parsed<PolicyAssignmentRequest> {
  return parseWith(
    policyAssignmentRequestSchema,
    value,
    nearestField(["policy_id", "agent_id", "namespace_id"]),
  );
}

export function parseRollback(value: JsonValue): Parsed<RollbackRequest> {
  return parseWith(rollbackSchema, value, nearestField(["target_version", "why"]));
}
