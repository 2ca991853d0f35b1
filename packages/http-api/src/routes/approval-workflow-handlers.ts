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
import { listed, pageOf } from "./reply-found.ts";

export const approvalWorkflowHandlers: Handlers<typeof approvalWorkflowRoutes> = {
  createApprovalWorkflow: async ({ body }, { ports, principal }) => {
    const outcome = await createWorkflow(ports, principal, body);
    if (outcome.kind === "problem") return outcome;
    const { id, version } = outcome.value;
    const headers = { ...etag(version), location: `/api/v1/approval-workflows/${encodeURIComponent(id)}` };
    return { kind: "json", status: 201, body: outcome.value, headers };
  },
  listApprovalWorkflows: async ({ query }, { ports, principal }) =>
    listed("approval_workflows", await listWorkflows(ports, principal, pageOf(query))),
  getApprovalWorkflow: async ({ params }, { ports, principal }) => {
    const outcome = await getWorkflow(ports, principal, params.workflow_id);
    return outcome.kind === "problem" ? outcome : reply(outcome.value);
  },
  putApprovalWorkflow: async ({ params, body: settings, ifMatch }, { ports, principal }) => {
    const named = { id: params.workflow_id, expectedVersion: ifMatch };
    const outcome = await updateWorkflow(ports, principal, { ...named, settings });
    return outcome.kind === "problem" ? outcome : reply(outcome.value);
  },
  deleteApprovalWorkflow: async ({ params, ifMatch }, { ports, principal }) => {
    const named = { id: params.workflow_id, expectedVersion: ifMatch };
    const outcome = await removeWorkflow(ports, principal, named);
    return outcome.kind === "problem" ? outcome : reply(outcome.value);
  },
};

function reply(workflow: ApprovalWorkflow) {
  return { kind: "json" as const, status: 200 as const, body: workflow, headers: etag(workflow.version) };
}
