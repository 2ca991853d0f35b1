import type { PolicyInForce } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import { probePolicy } from "../await-acknowledgements.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { getPolicy } from "./get-policy.ts";

type InForcePorts = Pick<ControlPlanePorts, "log" | "timers" | "policies" | "propagation">;

/**
 * Which gateways decide by the latest version of a policy. The version is read before the gateways are asked,
 * so that a gateway that answers decides by that version or by a later one.
 */
export async function policyInForce(
  ports: InForcePorts,
  principal: Principal,
  id: string,
): Promise<Outcome<PolicyInForce>> {
  const found = await getPolicy(ports, principal, id);
  if (found.kind === "problem") return found;
  const { version, enabled } = found.value.record;
  const acknowledgements = await probePolicy(ports, principal.org, id);
  return { kind: "ok", value: { policy_id: id, version, enabled, ...acknowledgements } };
}
