import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { Logger } from "@svc/process/logger";

export interface AssignmentFacts {
  readonly principal: Principal;
  readonly record: PolicyAssignmentRecord;
}

/** Logs one line per binding that was made or removed. */
export function logAssignment(
  log: Logger,
  message: "policy assigned" | "policy unassigned",
  { principal, record }: AssignmentFacts,
): void {
  const { id, policy_id, agent_id, namespace_id } = record;
  const target = agent_id === null ? { namespace: namespace_id } : { agent_id };
  const facts = { org: principal.org, principal: principal.id, assignment_id: id, policy_id };
  log.info({ ...facts, ...target }, message);
}
