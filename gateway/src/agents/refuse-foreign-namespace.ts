import type { CallFacts } from "../call-facts.ts";
import type { ControlState } from "../control-state.ts";
import { denyRuling, type Ruling } from "../ruling.ts";

/** Denies a call in another namespace than that of its agent's registration, which alone is right. */
export function refuseForeignNamespace(
  state: Pick<ControlState, "agentFor">,
  { org, agentId, namespace }: CallFacts,
): Ruling | null {
  const agent = state.agentFor(org, agentId);
  if (agent === null || agent.namespace === namespace) return null;
  return denyRuling(
    "namespace_mismatch",
    `agent ${agentId} is registered in namespace ${agent.namespace}, and the call is in ${namespace}`,
  );
}
