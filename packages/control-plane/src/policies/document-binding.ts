import type { Principal } from "@svc/contract/principal";
import type { PolicySummary } from "@svc/policy-analysis/check-document";
import type { NewBinding } from "@svc/store/ports/policy-store";
import { assignmentRow } from "../assignments/assignment-row.ts";
import type { NewId } from "../ports.ts";

interface BindingFacts {
  readonly newId: NewId;
  readonly time: string;
  readonly principal: Principal;
  readonly why: string | null;
}

/** The binding that the `agent_id` of a new policy's document asks for; null when it names none. */
export function documentBinding(
  { id, agentId }: PolicySummary,
  { newId, time, principal, why }: BindingFacts,
): NewBinding | null {
  if (agentId === null) return null;
  const target = { policy_id: id, agent_id: agentId, namespace_id: null };
  const record = { id: newId("asg"), ...target, created_at: time, created_by: principal.id };
  return { record, auditRow: assignmentRow(record, { action: "assigned", principal, time, why }) };
}
