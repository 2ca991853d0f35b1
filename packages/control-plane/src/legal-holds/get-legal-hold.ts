import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { Principal } from "@svc/contract/principal";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";

export async function getLegalHold(
  ports: Pick<ControlPlanePorts, "log" | "legalHolds">,
  { org }: Principal,
  id: string,
): Promise<{ readonly kind: "found"; readonly record: LegalHoldRecord } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.legalHolds.legalHold(org, id));
  if (found.kind === "problem") return found;
  return found.value === null ? refuseUnknownLegalHold(id) : { kind: "found", record: found.value };
}

export function refuseUnknownLegalHold(id: string): Refusal {
  return refuse("not_found", `This organization has no legal hold ${id}. GET legal-holds lists them.`);
}
