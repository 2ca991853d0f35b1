import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { Principal } from "@svc/contract/principal";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

export async function getLegalHold(
  ports: Pick<ControlPlanePorts, "log" | "legalHolds">,
  { org }: Principal,
  id: string,
): Promise<Outcome<LegalHoldRecord>> {
  return readRecord(
    ports,
    () => ports.legalHolds.legalHold(org, id),
    () => refuseUnknownLegalHold(id),
  );
}

export function refuseUnknownLegalHold(id: string): Refusal {
  return refuse("not_found", `This organization has no legal hold ${id}. GET legal-holds lists them.`);
}
