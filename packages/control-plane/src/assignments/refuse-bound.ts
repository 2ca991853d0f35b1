import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import { type Refusal, refuse } from "../refusal.ts";

/** Refuses a second binding of an agent or a namespace. The detail names the binding that exists. */
export function refuseBound({ id, policy_id, agent_id, namespace_id }: PolicyAssignmentRecord): Refusal {
  const target = agent_id === null ? `Namespace ${namespace_id ?? ""}` : `Agent ${agent_id}`;
  const binding = `${target} is bound to policy ${policy_id} by assignment ${id}.`;
  return refuse("agent_already_bound", `${binding} Remove that assignment first.`);
}

/**
 * Refuses an update whose document names an agent that its policy is not bound to, because an update never
 * changes a binding. The detail says how to bind the agent.
 * @param existing the binding of the agent today; null when it has none.
 */
export function refuseOtherAgent(
  { policyId, agentId }: { readonly policyId: string; readonly agentId: string },
  existing: PolicyAssignmentRecord | null,
): Refusal {
  const today =
    existing === null
      ? `no policy is assigned to ${agentId}`
      : `${agentId} is bound to policy ${existing.policy_id} by assignment ${existing.id}`;
  const first = existing === null ? "" : `DELETE policy-assignments/${existing.id}, then `;
  return refuse(
    existing === null ? "conflict" : "agent_already_bound",
    `The document names agent ${agentId}, but policy ${policyId} is not bound to it: ${today}. ` +
      "An update never changes a binding. Remove agent_id from the document to keep the bindings as they " +
      `are, or assign the agent before the update: ${first}POST policy-assignments ` +
      `${JSON.stringify({ policy_id: policyId, agent_id: agentId })}.`,
  );
}
