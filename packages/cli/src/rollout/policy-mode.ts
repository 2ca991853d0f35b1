import { GOVERNANCE_MODES, type GovernanceMode } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";

/** The mode that a valid policy has. */
export function modeOf(document: JsonObject): GovernanceMode {
  const found = document["governance_mode"];
  return GOVERNANCE_MODES.find((mode) => mode === found) ?? "enforcement";
}
