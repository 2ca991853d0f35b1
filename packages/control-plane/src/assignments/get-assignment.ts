import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

export async function getAssignment(
  ports: Pick<ControlPlanePorts, "log" | "assignments">,
  { org }: Principal,
  id: string,
): Promise<Outcome<PolicyAssignmentRecord>> {
  return readRecord(
    ports,
    () => ports.assignments.assignment(org, id),
    () => refuseUnknownAssignment(id),
  );
}

export function refuseUnknownAssignment(id: string): Refusal {
  return refuse("not_found", `This organization has no policy assignment ${id}.`);
}
