import type { CallFacts } from "../call-facts.ts";
import type { ControlState } from "../check/control-state.ts";
import { denyRuling, type Ruling } from "../evaluate/ruling.ts";

/** Denies a call in another namespace than that of its agent's registration, which alone is right. */
export function refuseForeignNamespace(
  state: Pick<ControlState, "agentFor">,
  { org, agentId, namespace, namesNamespace }: CallFacts,
): Ruling | null {
  const agent = state.agentFor(org, agentId);
  if (agent === null || agent.namespace === namespace) return null;
  const home = agent.namespace;
  if (!namesNamespace) {
    const moved = `agent ${agentId} was moved to namespace ${home} while this call was judged`;
    return denyRuling("namespace_mismatch", `${moved}. Repeat the call`, { retryable: true });
  }
  const path = `/api/v1/agents/${encodeURIComponent(agentId)}`;
  return denyRuling(
    "namespace_mismatch",
    `agent ${agentId} is registered in namespace ${home}, and the call names ${namespace}. ` +
      `Leave namespace out of the call, or move the agent: PATCH ${path}`,
  );
}
