import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuseCursor } from "../refusal.ts";

/** By id. */
export async function listWorkflows(
  ports: Pick<ControlPlanePorts, "log" | "approvalWorkflows">,
  { org }: Principal,
  page: PageRequest,
): Promise<{ readonly kind: "listed"; readonly page: Page<ApprovalWorkflow> } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.approvalWorkflows.workflows(org, page));
  if (found.kind === "problem") return found;
  return found.value === "bad_cursor" ? refuseCursor(page.after) : { kind: "listed", page: found.value };
}
