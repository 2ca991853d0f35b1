import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import { announcePolicyChange, type MeasuredAcknowledgements } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { assignmentRow } from "./assignment-row.ts";
import { getAssignment, refuseUnknownAssignment } from "./get-assignment.ts";
import { logAssignment } from "./log-assignment.ts";

export type UnassignmentOutcome =
  | {
      readonly kind: "unassigned";
      readonly record: PolicyAssignmentRecord;
      readonly acknowledgements: MeasuredAcknowledgements;
    }
  | Refusal;

type UnassignmentPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "assignments" | "propagation">;

const STILL_ASSIGNED =
  "The store did not confirm the removal, so the policy may still be assigned. " +
  "Look before you try again.";

/** Removes a binding. Its agent or namespace then has the next policy that applies, or none and is denied. */
export async function unassignPolicy(
  ports: UnassignmentPorts,
  principal: Principal,
  id: string,
  why: string | null = null,
): Promise<UnassignmentOutcome> {
  const { org } = principal;
  const found = await getAssignment(ports, principal, id);
  if (found.kind === "problem") return found;
  const startedMs = ports.clock.nowMs();
  const time = ports.clock.now().toISOString();
  const auditRow = assignmentRow(found.value, { action: "unassigned", principal, time, why });
  const removed = await callStore(ports, STILL_ASSIGNED, () =>
    ports.assignments.unassignPolicy({ org, auditRow, id }),
  );
  if (removed.kind === "problem") return removed;
  if (removed.value.kind === "not_found") return refuseUnknownAssignment(id);
  const { record, revision } = removed.value;
  logAssignment(ports.log, "policy unassigned", { principal, record });
  const acknowledgements = await announcePolicyChange(ports, { revision, startedMs });
  return { kind: "unassigned", record, acknowledgements };
}
