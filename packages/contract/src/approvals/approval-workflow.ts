import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { addressableIdSchema } from "../fields/addressable-id.ts";
import { IDENTIFIER_EXPECTATION } from "../fields/identifier.ts";
import { identifierSchemaFor } from "../fields/identifier-schema.ts";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { ROLE_SCOPES, ROLES } from "../keys/role.ts";
import {
  DEFAULT_APPROVAL_SECONDS,
  MAX_APPROVAL_SECONDS,
  MAX_REASON_LENGTH,
  MAX_REQUIRED_APPROVERS,
  MAX_WORKFLOW_KEYS,
  MIN_APPROVAL_SECONDS,
} from "../limits.ts";
import { notifyChannelsRequestSchema, notifyChannelsSchema } from "../notifications/notify-channel.ts";

/** The roles whose keys may resolve approvals at all. A workflow narrows them. */
export const APPROVER_ROLES = ROLES.filter((role) => ROLE_SCOPES[role].includes("approval:resolve"));

/** What becomes of a call whose approval nobody resolved in time. */
export const ON_EXPIRY = ["deny"] as const;

const ROLES_EXPECTATION = `expected a list with one or more of ${APPROVER_ROLES.join(", ")}`;
const KEYS_EXPECTATION = `expected a list of 1 to ${String(MAX_WORKFLOW_KEYS)} ids of keys`;
/** Longest name of a group, in UTF-16 units: those of directories are paths. */
const MAX_GROUP_LENGTH = 256;

const GROUPS_EXPECTATION = `expected a list of 1 to ${String(MAX_WORKFLOW_KEYS)} names of groups`;
const REQUIRED_EXPECTATION = `expected a number from 1 to ${String(MAX_REQUIRED_APPROVERS)}`;
const SECONDS_EXPECTATION =
  `expected whole seconds from ${String(MIN_APPROVAL_SECONDS)} ` + `to ${String(MAX_APPROVAL_SECONDS)}`;
const NAME_EXPECTATION =
  `expected 1 to ${String(MAX_REASON_LENGTH)} characters, not only white space, ` + "or null";

const approverRoleSchema = z
  .enum(APPROVER_ROLES as [(typeof APPROVER_ROLES)[number]], { error: ROLES_EXPECTATION })
  .meta({ id: "ApproverRole" });

const onExpirySchema = z
  .enum(ON_EXPIRY, { error: `expected ${ON_EXPIRY.join(" or ")}` })
  .meta({ id: "OnExpiry" });

const groupName = z
  .string({ error: GROUPS_EXPECTATION })
  .max(MAX_GROUP_LENGTH, { error: GROUPS_EXPECTATION })
  .regex(/^(?!\s)\P{Cc}+(?<!\s)$/u, { error: GROUPS_EXPECTATION });

const approvers = z
  .strictObject(
    {
      roles: z
        .array(approverRoleSchema, {
          error: ROLES_EXPECTATION,
        })
        .min(1, { error: ROLES_EXPECTATION })
        .transform((roles): readonly (typeof APPROVER_ROLES)[number][] => [...new Set(roles)])
        .nullable()
        .default(null)
        .describe("Only keys of these roles. Null: every role that may resolve approvals."),
      keys: z
        .array(identifierSchemaFor(`the id of a key: ${IDENTIFIER_EXPECTATION}`), { error: KEYS_EXPECTATION })
        .min(1, { error: KEYS_EXPECTATION })
        .max(MAX_WORKFLOW_KEYS, { error: KEYS_EXPECTATION })
        .transform((keys): readonly string[] => [...new Set(keys)])
        .nullable()
        .default(null)
        .describe("Only these keys or people, by their ids. Null: everybody with the roles."),
      groups: z
        .array(groupName, { error: GROUPS_EXPECTATION })
        .min(1, { error: GROUPS_EXPECTATION })
        .max(MAX_WORKFLOW_KEYS, { error: GROUPS_EXPECTATION })
        .transform((groups): readonly string[] => [...new Set(groups)])
        .nullable()
        .default(null)
        .describe("Only people of these groups of their identity provider. Null: no group is asked for."),
    },
    { error: "expected an object with roles, keys or groups" },
  )
  .meta({ id: "ApproversRequest", description: "Who may resolve approvals." });

const SETTINGS = {
  name: z
    .string({ error: NAME_EXPECTATION })
    .max(MAX_REASON_LENGTH, { error: NAME_EXPECTATION })
    .regex(/\S/, { error: NAME_EXPECTATION })
    .nullable()
    .default(null)
    .describe("What people call it."),
  required: z
    .int({ error: REQUIRED_EXPECTATION })
    .min(1, { error: REQUIRED_EXPECTATION })
    .max(MAX_REQUIRED_APPROVERS, { error: REQUIRED_EXPECTATION })
    .default(1)
    .describe("How many different keys must approve. One deny ends the approval."),
  approvers: approvers
    .prefault({})
    .describe("Who may resolve. An approver must be in every list that is set."),
  expires_in_seconds: z
    .int({ error: SECONDS_EXPECTATION })
    .min(MIN_APPROVAL_SECONDS, { error: SECONDS_EXPECTATION })
    .max(MAX_APPROVAL_SECONDS, { error: SECONDS_EXPECTATION })
    .default(DEFAULT_APPROVAL_SECONDS)
    .describe("How long an approval can be resolved."),
  channels: notifyChannelsRequestSchema.describe("Who is told that an approval is needed."),
  on_expiry: onExpirySchema
    .default("deny")
    .describe("`deny`: the call stays stopped, and asks anew when the agent repeats it."),
};

const approverCount = (
  {
    required,
    approvers: { keys },
  }: { readonly required: number; readonly approvers: z.output<typeof approvers> },
  context: z.RefinementCtx,
): void => {
  if (keys === null || keys.length >= required) return;
  const message = `expected at most ${String(keys.length)}, as many as approvers.keys names`;
  context.addIssue({ code: "custom", path: ["required"], message });
};

/** Body of `POST approval-workflows`. */
export const workflowCreationSchema = z
  .strictObject({ id: addressableIdSchema.describe("What rules name. It never changes."), ...SETTINGS })
  .superRefine(approverCount)
  .meta({ id: "ApprovalWorkflowRequest", description: "Who must approve, and until when." });

/** Body of `PUT approval-workflows/{id}`. It replaces every setting. */
export const workflowUpdateSchema = z
  .strictObject(SETTINGS)
  .superRefine(approverCount)
  .meta({ id: "ApprovalWorkflowUpdate", description: "Every setting. What is left out gets its default." });

/** Who must approve, and until when. */
export type WorkflowSettings = Readonly<z.output<typeof workflowUpdateSchema>>;
export type WorkflowCreation = Readonly<z.output<typeof workflowCreationSchema>>;

/** Who may resolve, in answers. */
export const workflowApproversSchema = z
  .strictObject({
    roles: z.array(approverRoleSchema).readonly().nullable(),
    keys: z.array(z.string()).readonly().nullable(),
    groups: z
      .array(z.string())
      .readonly()
      .nullable()
      .optional()
      .describe("Absent in workflows from before there were groups."),
  })
  .meta({ id: "Approvers", description: "Who may resolve approvals." });

/** A workflow in its wire form. */
export const approvalWorkflowSchema = z
  .strictObject({
    id: z.string(),
    version: z.int().describe("Counts the changes. It is the ETag."),
    name: z.string().nullable(),
    required: z.int(),
    approvers: workflowApproversSchema,
    expires_in_seconds: z.int(),
    channels: notifyChannelsSchema,
    on_expiry: onExpirySchema,
    created_at: timestampSchema,
    created_by: z.string().describe("Id of the key."),
    updated_at: timestampSchema,
    updated_by: z.string().describe("Id of the key."),
  })
  .meta({ id: "ApprovalWorkflow", description: "Who must approve the calls of rules that name it." });
export type ApprovalWorkflow = Readonly<z.output<typeof approvalWorkflowSchema>>;

export const workflowPageSchema = pageSchema("approval_workflows", approvalWorkflowSchema).meta({
  id: "ApprovalWorkflowPage",
  description: "A page of workflows, by id.",
});

const FIELDS = Object.keys(SETTINGS);

export function parseWorkflowCreation(value: JsonValue): Parsed<WorkflowCreation> {
  return parseWith(workflowCreationSchema, value, nearestField(["id", ...FIELDS]));
}

export function parseWorkflowUpdate(value: JsonValue): Parsed<WorkflowSettings> {
  return parseWith(workflowUpdateSchema, value, nearestField(FIELDS));
}
