import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";

export async function getAssignment(
  ports: Pick<ControlPlanePorts, "log" | "assignments">,
  { org }: Principal,
  id: string,
): Promise<{ readonly kind: "found"; readonly record: PolicyAssignmentRecord } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.assignments.assignment(org, id));
  if (found.kind === "problem") return found;
  return found.value === null ? refuseUnknownAssignment(id) : { kind: "found", record: found.value };
}

export function refuseUnknownAssignment(id: string): Refusal {
  return refuse("not_found", `This organization has no policy assignment ${id}.`);
}
