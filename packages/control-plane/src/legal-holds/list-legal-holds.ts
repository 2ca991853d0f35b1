import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuseCursor } from "../refusal.ts";

/** Newest first, lifted ones included. */
export async function listLegalHolds(
  ports: Pick<ControlPlanePorts, "log" | "legalHolds">,
  { org }: Principal,
  page: PageRequest,
): Promise<{ readonly kind: "listed"; readonly page: Page<LegalHoldRecord> } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.legalHolds.legalHolds(org, page));
  if (found.kind === "problem") return found;
  return found.value === "bad_cursor" ? refuseCursor(page.after) : { kind: "listed", page: found.value };
}
