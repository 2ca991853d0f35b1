import type { approvalWorkflowRoutes } from "@svc/api/approval-workflow-routes";
import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import {
  createWorkflow,
  getWorkflow,
  removeWorkflow,
  updateWorkflow,
} from "@svc/control-plane/change-workflow";
import { listWorkflows } from "@svc/control-plane/list-workflows";
import type { Handlers } from "./handler.ts";
import { etag } from "./policy-replies.ts";

export const approvalWorkflowHandlers: Handlers<typeof approvalWorkflowRoutes> = {
  createApprovalWorkflow: async ({ body }, { ports, principal }) => {
    const outcome = await createWorkflow(ports, principal, body);
    if (outcome.kind === "problem") return outcome;
    const { id, version } = outcome.workflow;
    const headers = { ...etag(version), location: `/api/v1/approval-workflows/${encodeURIComponent(id)}` };
    return { kind: "json", status: 201, body: outcome.workflow, headers };
  },
  listApprovalWorkflows: async ({ query: { limit, cursor } }, { ports, principal }) => {
    const outcome = await listWorkflows(ports, principal, { limit, after: cursor ?? null });
    if (outcome.kind === "problem") return outcome;
    const { items, next } = outcome.page;
    return { kind: "json", status: 200, body: { approval_workflows: [...items], next_cursor: next } };
  },
  getApprovalWorkflow: async ({ params }, { ports, principal }) => {
    const outcome = await getWorkflow(ports, principal, params.workflow_id);
    return outcome.kind === "problem" ? outcome : reply(outcome.workflow);
  },
  putApprovalWorkflow: async ({ params, body: settings, ifMatch }, { ports, principal }) => {
    const named = { id: params.workflow_id, expectedVersion: ifMatch };
    const outcome = await updateWorkflow(ports, principal, { ...named, settings });
    return outcome.kind === "problem" ? outcome : reply(outcome.workflow);
  },
  deleteApprovalWorkflow: async ({ params, ifMatch }, { ports, principal }) => {
    const named = { id: params.workflow_id, expectedVersion: ifMatch };
    const outcome = await removeWorkflow(ports, principal, named);
    return outcome.kind === "problem" ? outcome : reply(outcome.workflow);
  },
};

function reply(workflow: ApprovalWorkflow) {
  return { kind: "json" as const, status: 200 as const, body: workflow, headers: etag(workflow.version) };
}
