import type { PolicyAssignmentRecord } from "@svc/contract/policy-record";
import { type Refusal, refuse } from "../refusal.ts";

/** One active policy per agent, one per namespace: names the binding that is in the way. */
export function refuseBound({ id, policy_id, agent_id, namespace_id }: PolicyAssignmentRecord): Refusal {
  const target = agent_id === null ? `Namespace ${namespace_id ?? ""}` : `Agent ${agent_id}`;
  const binding = `${target} is bound to policy ${policy_id} by assignment ${id}.`;
  return refuse("agent_already_bound", `${binding} Remove that assignment first.`);
}
