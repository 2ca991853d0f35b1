import {
  approvalFilterSchema,
  approvalListSchema,
  approvalSchema,
  approveRequestSchema,
  parseApproveRequest,
  parseRefuseApproval,
  refuseApprovalSchema,
} from "@svc/contract/approval";
import { identifierSchema } from "@svc/contract/identifier-schema";
import { nameSchema } from "@svc/contract/name-schema";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route, scoped } from "../route.ts";

const ID = z.strictObject({ approval_id: z.string().describe("The approval.") });

const ITEM = {
  id: "apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
  status: "pending",
  approval_url: "https://svc.example.com/approvals/apr_3n5Jc0TqkYQwXvR1b8sUe2LpFhM",
  org_id: "default",
  namespace: "default",
  agent_id: "payments-agent",
  session_id: "s-1",
  tool: "payments.refund",
  rule_id: "large-refunds",
  policy_id: "refunds",
  policy_version: 3,
  void_because: null,
  decision_id: "gw_1f0c.42",
  requested_by: "9d41c07be2aa",
  requested_at: "2026-11-22T09:00:00.000Z",
  expires_at: "2026-11-23T09:00:00.000Z",
  workflow: null,
  required: 1,
  scope: "session",
  covers: [],
  max_uses: 1,
  votes: [],
  resolved_at: null,
  resolved_by: null,
  resolution: null,
  grant: null,
} as const;

const APPROVAL = {
  ...ITEM,
  args: { amount: 900, currency: "EUR" },
  args_masked: false,
  edited_args: null,
  call_digest: "hmac-sha256:8f3b...",
  reason:
    "the rule large-refunds requires approval of this call; the approval holds for this call in session s-1",
  suspended_because: null,
} as const;

const END = { resolved_at: "2026-11-22T09:05:00.000Z", resolved_by: "3f9c1e2a7b4d" } as const;
const VOTE = { by: "3f9c1e2a7b4d", at: "2026-11-22T09:05:00.000Z" } as const;

const APPROVED = {
  ...APPROVAL,
  ...END,
  status: "approved",
  resolution: "the customer called",
  votes: [{ decision: "approve", reason: "the customer called", ...VOTE }],
  edited_args: { amount: 500, currency: "EUR" },
  grant: { expires_at: "2026-11-22T10:05:00.000Z", uses: 0, used_by: null, used_at: null, revoked: null },
} as const;

const DENIED = {
  ...APPROVAL,
  ...END,
  status: "denied",
  resolution: "the amount is wrong",
  votes: [{ decision: "deny", reason: "the amount is wrong", ...VOTE }],
} as const;

const CANCELLED = { ...APPROVAL, ...END, status: "cancelled", resolution: "not needed any more" } as const;

const RESOLVES = { access: { kind: "scope", scope: "approval:resolve" }, rateClass: "write" } as const;

export const approvalRoutes = {
  listApprovals: route({
    method: "GET",
    path: "/approvals",
    tag: "Approvals",
    summary: "List approvals",
    description: "Newest first, without arguments. A bound key sees those of its agents and namespaces.",
    ...scoped("approval:read", "read"),
    query: z.strictObject({
      status: approvalFilterSchema
        .optional()
        .describe("Where they stand; usable: approved, and a call can still use the grant. Absent: all."),
      agent_id: nameSchema.optional().describe("Whose calls."),
      session_id: nameSchema.optional().describe("Of which session."),
      tool: nameSchema.optional().describe("Calls of which tool."),
      workflow: identifierSchema.optional().describe("Which follow this workflow."),
      ...PAGE,
    }),
    answers: {
      200: page("A page of approvals.", approvalListSchema, { approvals: [ITEM] }),
    },
  }),
  getApproval: route({
    method: "GET",
    path: "/approvals/{approval_id}",
    tag: "Approvals",
    summary: "Read an approval",
    description:
      "With the arguments as the audit log holds them. A key without `approval:read` reads the approvals " +
      "of calls that it asked about itself. With `Prefer: wait=<s>`, at most 60, the answer comes when the " +
      "approval is resolved, or as it stands when the time is over. Reading never resolves an approval.",
    ...scoped("approval:own", "read"),
    params: ID,
    answers: {
      200: answer("The approval.", approvalSchema, APPROVAL, ["preference-applied"]),
    },
    problems: ["not_found", "overloaded"],
  }),
  approveCall: route({
    method: "POST",
    path: "/approvals/{approval_id}/approve",
    tag: "Approvals",
    summary: "Approve a paused call",
    description:
      "When it is the last approval that the workflow needs, the agent can repeat its call once, within an " +
      "hour, in the same session, under the same version of the policy. `scope`, `covers` and `max_uses` " +
      "say whether it holds for more. `args` narrows the call: the agent gets them as " +
      "`shaped_args`, and the policy judges them. The key that asked about the call cannot approve it.",
    ...RESOLVES,
    params: ID,
    body: jsonBody(approveRequestSchema, parseApproveRequest, {
      reason: "the customer called",
      args: { amount: 500, currency: "EUR" },
    }),
    idempotency: "answer",
    answers: { 200: answer("The approval now.", approvalSchema, APPROVED) },
    problems: ["not_found", "conflict", "body_too_large"],
  }),
  denyApproval: route({
    method: "POST",
    path: "/approvals/{approval_id}/deny",
    tag: "Approvals",
    summary: "Deny a paused call",
    description: "Ends the approval. One deny suffices, whatever the workflow requires.",
    ...RESOLVES,
    params: ID,
    body: jsonBody(refuseApprovalSchema, parseRefuseApproval, { reason: "the amount is wrong" }),
    idempotency: "answer",
    answers: { 200: answer("The approval now.", approvalSchema, DENIED) },
    problems: ["not_found", "conflict"],
  }),
  cancelApproval: route({
    method: "POST",
    path: "/approvals/{approval_id}/cancel",
    tag: "Approvals",
    summary: "Cancel an approval that is not needed any more, or revoke it",
    description:
      "By an operator, or by the key that asked about the call. It does not deny later calls. After it, no " +
      "call can use an approval that was given, also when a call that had used it did not run.",
    ...scoped("approval:cancel", "write"),
    params: ID,
    body: jsonBody(refuseApprovalSchema, parseRefuseApproval, { reason: "not needed any more" }),
    idempotency: "answer",
    answers: { 200: answer("The approval now.", approvalSchema, CANCELLED) },
    problems: ["not_found", "conflict"],
  }),
} as const;
