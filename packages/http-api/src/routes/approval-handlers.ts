import type { approvalRoutes } from "@svc/api/approval-routes";
import { MAX_APPROVAL_WAIT_SECONDS } from "@svc/contract/limits";
import { approveCall } from "@svc/control-plane/approve-call";
import { cancelApproval } from "@svc/control-plane/cancel-approval";
import { denyApproval } from "@svc/control-plane/deny-approval";
import { getApproval } from "@svc/control-plane/get-approval";
import { listApprovals } from "@svc/control-plane/list-approvals";
import { preferredWait } from "../conventions/preferred-wait.ts";
import type { Handlers } from "./handler.ts";

export const approvalHandlers: Handlers<typeof approvalRoutes> = {
  listApprovals: async ({ query }, { ports, principal }) => {
    const outcome = await listApprovals(ports, principal, {
      status: query.status ?? null,
      agentId: query.agent_id ?? null,
      sessionId: query.session_id ?? null,
      tool: query.tool ?? null,
      workflowId: query.workflow ?? null,
      page: { limit: query.limit, after: query.cursor ?? null },
    });
    if (outcome.kind === "problem") return outcome;
    const { items, next } = outcome.page;
    return { kind: "json", status: 200, body: { approvals: items, next_cursor: next } };
  },
  getApproval: async ({ params }, { ports, principal, head, over }) => {
    const waitMs = preferredWait(head, MAX_APPROVAL_WAIT_SECONDS);
    const question = { id: params.approval_id, waitMs, signal: over };
    const outcome = await getApproval(ports, principal, question);
    const headers = waitMs > 0 ? { "preference-applied": `wait=${String(waitMs / 1_000)}` } : {};
    if (outcome.kind === "problem") return { ...outcome, headers };
    return { kind: "json", status: 200, body: outcome.record, headers };
  },
  approveCall: async ({ params, body }, { ports, principal }) => {
    const outcome = await approveCall(ports, principal, { id: params.approval_id, ...body });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
  denyApproval: async ({ params, body }, { ports, principal }) => {
    const outcome = await denyApproval(ports, principal, { id: params.approval_id, ...body });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
  cancelApproval: async ({ params, body }, { ports, principal }) => {
    const outcome = await cancelApproval(ports, principal, { id: params.approval_id, ...body });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
};
