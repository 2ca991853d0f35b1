import type { JsonObject } from "@svc/contract/json-value";
import { GOVERNANCE_MODES, type GovernanceMode } from "@svc/contract/verdict";

/** The mode that a valid policy has. */
export function modeOf(document: JsonObject): GovernanceMode {
  const found = document["governance_mode"];
  return GOVERNANCE_MODES.find((mode) => mode === found) ?? "enforcement";
}
