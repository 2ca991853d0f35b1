import type { PolicyAssignmentRecord, PolicyAssignmentRequest } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import { announcePolicyChange, type MeasuredAcknowledgements } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import { refuseArchived } from "../policies/append-version.ts";
import { refuseUnknownPolicy } from "../policies/get-policy.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { assignmentRow } from "./assignment-row.ts";
import { logAssignment } from "./log-assignment.ts";
import { refuseBound } from "./refuse-bound.ts";

export type AssignmentOutcome =
  | {
      readonly kind: "assigned";
      readonly record: PolicyAssignmentRecord;
      readonly acknowledgements: MeasuredAcknowledgements;
    }
  /** The same policy was bound to the same target before: nothing was written. */
  | { readonly kind: "existing"; readonly record: PolicyAssignmentRecord }
  | Refusal;

type AssignmentPorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "newId" | "assignments" | "propagation"
>;

const NOT_ASSIGNED =
  "The store did not confirm the assignment, so the policy may not be assigned. " +
  "Repeat the call; repeating is safe.";

/** Binds a policy to one agent or one namespace. */
export async function assignPolicy(
  ports: AssignmentPorts,
  principal: Principal,
  { policy_id, agent_id, namespace_id }: PolicyAssignmentRequest,
  why: string | null = null,
): Promise<AssignmentOutcome> {
  const startedMs = ports.clock.nowMs();
  const time = ports.clock.now().toISOString();
  const target = { policy_id, agent_id, namespace_id };
  const record = { id: ports.newId("asg"), ...target, created_at: time, created_by: principal.id };
  const auditRow = assignmentRow(record, { action: "assigned", principal, time, why });
  const stored = await callStore(ports, NOT_ASSIGNED, () =>
    ports.assignments.assignPolicy({ org: principal.org, auditRow, record }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "assigned":
      logAssignment(ports.log, "policy assigned", { principal, record });
      return {
        kind: "assigned",
        record,
        acknowledgements: await announcePolicyChange(ports, { ...stored.value, startedMs }),
      };
    case "existing":
      return { kind: "existing", record: stored.value.record };
    case "policy_not_found":
      return refuseUnknownPolicy(policy_id);
    case "policy_archived":
      return refuseArchived(policy_id);
    case "already_bound":
      return refuseBound(stored.value.existing);
  }
}
