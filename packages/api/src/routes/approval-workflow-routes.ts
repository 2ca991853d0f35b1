import {
  approvalWorkflowSchema,
  parseWorkflowCreation,
  parseWorkflowUpdate,
  workflowCreationSchema,
  workflowPageSchema,
  workflowUpdateSchema,
} from "@svc/contract/approval-workflow";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({ workflow_id: z.string().describe("The workflow.") });

const SETTINGS = {
  name: "Two from finance",
  required: 2,
  approvers: { roles: ["approver"], keys: null },
  expires_in_seconds: 3_600,
  channels: [],
  on_expiry: "deny",
} as const;

const WORKFLOW = {
  id: "finance",
  version: 1,
  ...SETTINGS,
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  updated_at: "2026-11-22T09:00:00.000Z",
  updated_by: "3f9c1e2a7b4d",
} as const;

const READS = { access: { kind: "scope", scope: "workflow:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "workflow:write" }, rateClass: "write" } as const;

const ANSWER = { schema: approvalWorkflowSchema, example: WORKFLOW, headers: ["etag"] } as const;

export const approvalWorkflowRoutes = {
  createApprovalWorkflow: route({
    method: "POST",
    path: "/approval-workflows",
    tag: "Approvals",
    summary: "Create an approval workflow",
    description: "Says who must approve the calls that a rule with `approval: {workflow: <id>}` pauses.",
    ...WRITES,
    body: jsonBody(workflowCreationSchema, parseWorkflowCreation, {
      id: "finance",
      required: 2,
      approvers: { roles: ["approver"] },
    }),
    idempotency: "answer",
    answers: { 201: { description: "It is created.", ...ANSWER, headers: ["etag", "location"] } },
    problems: ["conflict", "limit_reached"],
  }),
  listApprovalWorkflows: route({
    method: "GET",
    path: "/approval-workflows",
    tag: "Approvals",
    summary: "List approval workflows",
    description: "By id.",
    ...READS,
    query: z.strictObject(PAGE),
    answers: {
      200: page("A page of workflows.", workflowPageSchema, { approval_workflows: [WORKFLOW] }),
    },
  }),
  getApprovalWorkflow: route({
    method: "GET",
    path: "/approval-workflows/{workflow_id}",
    tag: "Approvals",
    summary: "Read an approval workflow",
    description: "With its version as ETag.",
    ...READS,
    params: ID,
    answers: { 200: { description: "The workflow.", ...ANSWER } },
    problems: ["not_found"],
  }),
  putApprovalWorkflow: route({
    method: "PUT",
    path: "/approval-workflows/{workflow_id}",
    tag: "Approvals",
    summary: "Replace the settings of an approval workflow",
    description:
      "What the body leaves out gets its default. Open approvals keep the settings they began with.",
    ...WRITES,
    params: ID,
    body: jsonBody(workflowUpdateSchema, parseWorkflowUpdate, {
      required: 1,
      approvers: { roles: ["approver"] },
    }),
    ifMatch: true,
    answers: { 200: { description: "The workflow now.", ...ANSWER } },
    problems: ["not_found", "version_moved"],
  }),
  deleteApprovalWorkflow: route({
    method: "DELETE",
    path: "/approval-workflows/{workflow_id}",
    tag: "Approvals",
    summary: "Remove an approval workflow that nothing names",
    description: "Refused while a policy that is not archived, or an open approval, names it.",
    ...WRITES,
    params: ID,
    ifMatch: true,
    answers: { 200: { description: "It is removed.", ...ANSWER } },
    problems: ["not_found", "conflict", "version_moved"],
  }),
} as const;
