import type { approvalRoutes } from "@svc/api/approval-routes";
import { MAX_APPROVAL_WAIT_SECONDS } from "@svc/contract/limits";
import { approveCall } from "@svc/control-plane/approve-call";
import { cancelApproval } from "@svc/control-plane/cancel-approval";
import { denyApproval } from "@svc/control-plane/deny-approval";
import { getApproval } from "@svc/control-plane/get-approval";
import { listApprovals } from "@svc/control-plane/list-approvals";
import { preferredWait } from "../conventions/preferred-wait.ts";
import type { Handlers } from "./handler.ts";
import { found, listed, pageOf } from "./reply-found.ts";

export const approvalHandlers: Handlers<typeof approvalRoutes> = {
  listApprovals: async ({ query }, { ports, principal }) =>
    listed(
      "approvals",
      await listApprovals(ports, principal, {
        status: query.status ?? null,
        agentId: query.agent_id ?? null,
        sessionId: query.session_id ?? null,
        tool: query.tool ?? null,
        workflowId: query.workflow ?? null,
        page: pageOf(query),
      }),
    ),
  getApproval: async ({ params }, { ports, principal, head, over }) => {
    const waitMs = preferredWait(head, MAX_APPROVAL_WAIT_SECONDS);
    const question = { id: params.approval_id, waitMs, signal: over };
    const outcome = await getApproval(ports, principal, question);
    const headers = waitMs > 0 ? { "preference-applied": `wait=${String(waitMs / 1_000)}` } : {};
    if (outcome.kind === "problem") return { ...outcome, headers };
    return { kind: "json", status: 200, body: outcome.value, headers };
  },
  approveCall: async ({ params, body }, { ports, principal }) => {
    const outcome = await approveCall(ports, principal, { id: params.approval_id, ...body });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.value };
  },
  denyApproval: async ({ params, body }, { ports, principal }) =>
    found(await denyApproval(ports, principal, { id: params.approval_id, ...body })),
  cancelApproval: async ({ params, body }, { ports, principal }) =>
    found(await cancelApproval(ports, principal, { id: params.approval_id, ...body })),
};
