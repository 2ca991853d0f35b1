import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { AssignmentFilter } from "@svc/store/ports/assignment-store";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

export interface AssignmentQuery extends AssignmentFilter {
  readonly page: PageRequest;
}

/** By id. Only those that every filter names. */
export async function listAssignments(
  ports: Pick<ControlPlanePorts, "log" | "assignments">,
  { org }: Principal,
  { page, ...filter }: AssignmentQuery,
): Promise<Outcome<Page<PolicyAssignmentRecord>>> {
  return readPage(ports, page, () => ports.assignments.assignments(org, filter, page));
}
