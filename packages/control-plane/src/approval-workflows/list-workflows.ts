import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

/** By id. */
export async function listWorkflows(
  ports: Pick<ControlPlanePorts, "log" | "approvalWorkflows">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<ApprovalWorkflow>>> {
  return readPage(ports, page, () => ports.approvalWorkflows.workflows(org, page));
}
