import { GOVERNANCE_MODES, type GovernanceMode } from "@svc/contract/verdict";

/** The modes that come after one in a rollout, the next one first. */
export function laterModes(mode: GovernanceMode): readonly GovernanceMode[] {
  return GOVERNANCE_MODES.slice(GOVERNANCE_MODES.indexOf(mode) + 1);
}
