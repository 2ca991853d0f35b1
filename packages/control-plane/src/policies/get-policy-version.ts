import type { Principal } from "@svc/contract/principal";
import type { StoredVersion } from "@svc/store/ports/policy-store";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

export interface PolicyVersionQuery {
  readonly id: string;
  readonly version: number;
}

/** One version as it was written; versions never change. */
export async function getPolicyVersion(
  ports: Pick<ControlPlanePorts, "log" | "policies">,
  { org }: Principal,
  { id, version }: PolicyVersionQuery,
): Promise<Outcome<StoredVersion>> {
  return readRecord(
    ports,
    () => ports.policies.policyVersion(org, id, version),
    () => refuseUnknownVersion(id, version),
  );
}

export function refuseUnknownVersion(id: string, version: number): Refusal {
  const lacking = `This organization has no version ${String(version)} of policy ${id}`;
  return refuse("not_found", `${lacking}. GET policies/${id}/versions lists its versions.`);
}
