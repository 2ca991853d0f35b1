import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { AssignmentFilter } from "@svc/store/ports/assignment-store";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuseCursor } from "../refusal.ts";

export interface AssignmentQuery extends AssignmentFilter {
  readonly page: PageRequest;
}

/** By id. Only those that every filter names. */
export async function listAssignments(
  ports: Pick<ControlPlanePorts, "log" | "assignments">,
  { org }: Principal,
  { page, ...filter }: AssignmentQuery,
): Promise<{ readonly kind: "listed"; readonly page: Page<PolicyAssignmentRecord> } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.assignments.assignments(org, filter, page));
  if (found.kind === "problem") return found;
  return found.value === "bad_cursor" ? refuseCursor(page.after) : { kind: "listed", page: found.value };
}
