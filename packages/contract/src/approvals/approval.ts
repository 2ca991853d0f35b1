import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { MAX_REASON_LENGTH } from "../limits.ts";
import { APPROVAL_SCOPES } from "./approval-scope.ts";
import { workflowApproversSchema } from "./approval-workflow.ts";

/** Where an approval stands. The first two are open; the others are final. */
export const APPROVAL_STATUSES = [
  "pending",
  "suspended",
  "approved",
  "denied",
  "expired",
  "cancelled",
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

const REASON_EXPECTATION =
  `expected the reason in 1 to ${String(MAX_REASON_LENGTH)} characters, ` + "not only white space";
const ARGS_EXPECTATION = "expected the whole arguments of the call as a JSON object, or null";

const reason = z
  .string({ error: REASON_EXPECTATION })
  .max(MAX_REASON_LENGTH, { error: REASON_EXPECTATION })
  .regex(/\S/, { error: REASON_EXPECTATION })
  .describe("Why. It goes into the audit log, with secrets masked.");

/** Body of `POST approvals/{id}/approve`. */
export const approveRequestSchema = z
  .strictObject({
    reason,
    args: z
      .custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
        error: ARGS_EXPECTATION,
      })
      .nullable()
      .default(null)
      .meta({ jsonSchema: { type: ["object", "null"], additionalProperties: true, default: null } })
      .describe(
        "The arguments that the call must run with. Write them as the approval shows them, with your " +
          "changes. Null: as the agent asked.",
      ),
  })
  .meta({ id: "ApproveRequest", description: "Why the call may run, and with which arguments." });
export type ApproveRequest = Readonly<z.output<typeof approveRequestSchema>>;

/** Body of `POST approvals/{id}/deny` and of `POST approvals/{id}/cancel`. */
export const refuseApprovalSchema = z
  .strictObject({ reason })
  .meta({ id: "RefuseApprovalRequest", description: "Why the call does not run." });
export type RefuseApproval = Readonly<z.output<typeof refuseApprovalSchema>>;

export const approvalStatusSchema = z
  .enum(APPROVAL_STATUSES, { error: `expected one of ${APPROVAL_STATUSES.join(", ")}` })
  .meta({ id: "ApprovalStatus" });

const voteSchema = z
  .strictObject({
    decision: z.enum(["approve", "deny"]).meta({ id: "VoteDecision" }),
    by: z.string().describe("Id of the key."),
    reason: z.string(),
    at: timestampSchema,
  })
  .meta({ id: "ApprovalVote", description: "What one approver said." });
export type ApprovalVote = Readonly<z.infer<typeof voteSchema>>;

const anyObject = z.record(z.string(), z.unknown());

/** A call that waits for people, in its wire form. */
export const approvalSchema = z
  .strictObject({
    id: z.string(),
    status: approvalStatusSchema,
    approval_url: z.string().describe("The page for people."),
    org_id: z.string(),
    namespace: z.string(),
    agent_id: z.string(),
    session_id: z.string().nullable(),
    tool: z.string(),
    args: anyObject
      .nullable()
      .describe("As the audit row holds them. Null: the row was removed after its retention time."),
    args_masked: z
      .boolean()
      .describe("True: `args` hides values that the call has. Who approves it approves values unseen."),
    edited_args: anyObject
      .nullable()
      .describe("The arguments that the approver set, with secrets masked. Null: those of the call."),
    call_digest: z
      .string()
      .nullable()
      .describe("Names the call: organization, agent, session, tool and unmasked arguments."),
    reason: z.string().describe("Why the call was paused."),
    suspended_because: z
      .string()
      .nullable()
      .describe(
        "Which session of the agent suspends it, and what ends that. Only who reads approvals of others " +
          "learns the id of another session. Null: it is not suspended.",
      ),
    rule_id: z.string().nullable(),
    policy_id: z.string(),
    policy_version: z.int().describe("A grant covers the calls under this version alone."),
    void_because: z
      .string()
      .nullable()
      .describe(
        "Why nobody can approve it: another version of its policy decides now. Null: it is not void.",
      ),
    decision_id: z.string().describe("The decision that opened it."),
    requested_by: z.string().describe("Id of the key that asked. It cannot resolve the approval."),
    requested_at: timestampSchema,
    expires_at: timestampSchema,
    workflow: z
      .strictObject({
        id: z.string(),
        version: z.int(),
        name: z.string().nullable(),
        approvers: workflowApproversSchema,
      })
      .meta({ id: "AppliedWorkflow" })
      .nullable()
      .describe("As it was when the approval was opened. Null: one approval suffices."),
    required: z.int().describe("Approvals that are needed."),
    scope: z.enum(APPROVAL_SCOPES).meta({
      id: "ApprovalScope",
      description: "session: it holds in the session of the call. agent: in every session of the agent.",
    }),
    covers: z
      .array(z.string())
      .readonly()
      .describe(
        "Arguments. The approval also holds for later calls with the same values of them. Empty: it holds " +
          "for one call.",
      ),
    max_uses: z.int().describe("Calls that it lets pass, once it is approved."),
    votes: z.array(voteSchema).readonly(),
    resolved_at: timestampSchema.nullable(),
    resolved_by: z.string().nullable().describe("Id of the key, or the part of the server that ended it."),
    resolution: z.string().nullable().describe("Why it ended as it did."),
    grant: z
      .strictObject({
        expires_at: timestampSchema.describe("Until when the agent can repeat the call."),
        uses: z.int().describe("Calls that it has let pass."),
        used_by: z.string().nullable().describe("The decision that used it up. Null: something is left."),
        used_at: timestampSchema.nullable().describe("When it was used last."),
        revoked: z
          .strictObject({ at: timestampSchema, by: z.string(), reason: z.string() })
          .meta({ id: "GrantRevocation" })
          .nullable()
          .describe("Who took it back. No later call can use it, whatever becomes of earlier ones."),
      })
      .meta({ id: "ApprovalGrant" })
      .nullable(),
  })
  .meta({ id: "Approval", description: "A paused call, and where its approval stands." });
export type ApprovalRecord = Readonly<z.infer<typeof approvalSchema>>;

/** An approval in a list: without its arguments, which can be large. */
export const approvalItemSchema = approvalSchema
  .omit({
    args: true,
    args_masked: true,
    edited_args: true,
    call_digest: true,
    reason: true,
    suspended_because: true,
  })
  .meta({ id: "ApprovalItem", description: "An approval in a list, without arguments." });
export type ApprovalItem = Readonly<z.infer<typeof approvalItemSchema>>;

/** What a list can be limited to: where approvals stand, or those that a call can still use. */
export const APPROVAL_FILTERS = [...APPROVAL_STATUSES, "usable"] as const;
export type ApprovalFilterName = (typeof APPROVAL_FILTERS)[number];
export const approvalFilterSchema = z
  .enum(APPROVAL_FILTERS, { error: `expected one of ${APPROVAL_FILTERS.join(", ")}` })
  .meta({ id: "ApprovalFilter" });

export const approvalListSchema = pageSchema("approvals", approvalItemSchema).meta({
  id: "ApprovalList",
  description: "A page of approvals, newest first.",
});

export function parseApproveRequest(value: JsonValue): Parsed<ApproveRequest> {
  return parseWith(approveRequestSchema, value, nearestField(["reason", "args"]));
}

export function parseRefuseApproval(value: JsonValue): Parsed<RefuseApproval> {
  return parseWith(refuseApprovalSchema, value, nearestField(["reason"]));
}
