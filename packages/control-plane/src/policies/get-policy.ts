import type { Principal } from "@svc/contract/principal";
import type { StoredPolicy } from "@svc/store/ports/policy-store";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";

/** The latest version. */
export async function getPolicy(
  ports: Pick<ControlPlanePorts, "log" | "policies">,
  { org }: Principal,
  id: string,
): Promise<{ readonly kind: "found"; readonly policy: StoredPolicy } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.policies.latestPolicy(org, id));
  if (found.kind === "problem") return found;
  return found.value === null ? refuseUnknownPolicy(id) : { kind: "found", policy: found.value };
}

export function refuseUnknownPolicy(id: string): Refusal {
  return refuse("not_found", `This organization has no policy ${id}. GET policies lists them.`);
}
