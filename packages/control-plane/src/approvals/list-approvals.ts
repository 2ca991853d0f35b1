import type { ApprovalFilterName, ApprovalItem } from "@svc/contract/approval";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ, readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { approvalItem, grantView } from "./approval-view.ts";
import { readVoid } from "./void-approvals.ts";

export interface ApprovalQuery {
  readonly status: ApprovalFilterName | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly tool: string | null;
  readonly workflowId: string | null;
  readonly page: PageRequest;
}

/** Newest first. A bound key sees those of its agents and namespaces. */
export async function listApprovals(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "approvals" | "publicUrl" | "policies">,
  { org, agents, namespaces }: Principal,
  { page, ...filters }: ApprovalQuery,
): Promise<Outcome<Page<ApprovalItem>>> {
  const bindings = {
    agents: agents === null ? null : [...agents],
    namespaces: namespaces === null ? null : [...namespaces],
  };
  const filter = { ...filters, ...bindings, atMs: ports.clock.now().getTime() };
  const found = await readPage(ports, page, () => ports.approvals.approvals(org, filter, page));
  if (found.kind === "problem") return found;
  const { items, next } = found.value;
  const read = await readVoid(ports, items);
  if (read.kind === "problem") return read;
  const ids = items.map(({ id }) => id);
  const granted = await callStore(ports, NOT_READ, () => ports.approvals.grants(org, ids));
  if (granted.kind === "problem") return granted;
  const grants = new Map(granted.value.map((grant) => [grant.approvalId, grant]));
  const listed = items.map((one) => {
    const grant = grants.get(one.id);
    return {
      ...approvalItem(ports, one),
      void_because: read.value(one),
      grant: grant === undefined ? null : grantView(grant, one),
    };
  });
  return { kind: "ok", value: { items: listed, next } };
}
