import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

/** Newest first, lifted ones included. */
export async function listLegalHolds(
  ports: Pick<ControlPlanePorts, "log" | "legalHolds">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<LegalHoldRecord>>> {
  return readPage(ports, page, () => ports.legalHolds.legalHolds(org, page));
}
