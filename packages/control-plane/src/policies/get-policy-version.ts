import type { Principal } from "@svc/contract/principal";
import type { StoredVersion } from "@svc/store/ports/policy-store";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";

export interface PolicyVersionQuery {
  readonly id: string;
  readonly version: number;
}

/** One version as it was written; versions never change. */
export async function getPolicyVersion(
  ports: Pick<ControlPlanePorts, "log" | "policies">,
  { org }: Principal,
  { id, version }: PolicyVersionQuery,
): Promise<{ readonly kind: "found"; readonly policy: StoredVersion } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.policies.policyVersion(org, id, version));
  if (found.kind === "problem") return found;
  return found.value === null ? refuseUnknownVersion(id, version) : { kind: "found", policy: found.value };
}

export function refuseUnknownVersion(id: string, version: number): Refusal {
  const lacking = `This organization has no version ${String(version)} of policy ${id}`;
  return refuse("not_found", `${lacking}. GET policies/${id}/versions lists its versions.`);
}
