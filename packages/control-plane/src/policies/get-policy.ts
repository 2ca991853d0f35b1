import type { Principal } from "@svc/contract/principal";
import type { StoredPolicy } from "@svc/store/ports/policy-store";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

/** The latest version. */
export async function getPolicy(
  ports: Pick<ControlPlanePorts, "log" | "policies">,
  { org }: Principal,
  id: string,
): Promise<Outcome<StoredPolicy>> {
  return readRecord(
    ports,
    () => ports.policies.latestPolicy(org, id),
    () => refuseUnknownPolicy(id),
  );
}

export function refuseUnknownPolicy(id: string): Refusal {
  return refuse("not_found", `This organization has no policy ${id}. GET policies lists them.`);
}
