import type { WouldBe } from "@svc/contract/verdict";
import type { CallFacts } from "../call-facts.ts";
import type { ControlState } from "../check/control-state.ts";
import { denyRuling, type Ruling } from "../evaluate/ruling.ts";

/**
 * Denies a call of an agent in quarantine unless its policy lists the tool in `tools.read_only`. In every
 * governance mode, because containment is not policy. @param softened what a mode kept from taking effect
 */
export function refuseQuarantined(
  state: Pick<ControlState, "agentFor" | "policyFor">,
  { org, agentId, namespace, tool }: CallFacts,
  softened: WouldBe | null,
): Ruling | null {
  const agent = state.agentFor(org, agentId);
  if (agent === null || agent.quarantine === null) return null;
  const loaded = state.policyFor(org, agentId, namespace);
  const isReadOnly = loaded?.kind === "ready" && loaded.policy.isReadOnly(tool);
  if (isReadOnly && softened === null) return null;
  const why = isReadOnly
    ? `its policy would not allow this call: ${softened?.reason ?? ""}`
    : `tools.read_only of its policy does not list ${tool}`;
  return denyRuling("agent_quarantined", `agent ${agentId} is in quarantine, and ${why}`);
}
