import type { PolicyItem } from "@svc/contract/policy";
import type { PolicyFilter } from "@svc/contract/policy-list";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuseCursor } from "../refusal.ts";

export interface PolicyQuery {
  readonly filter: PolicyFilter;
  readonly page: PageRequest;
}

/** The policies that a filter lets pass, by id, each in its latest version and without its document. */
export async function listPolicies(
  ports: Pick<ControlPlanePorts, "log" | "policies">,
  { org }: Principal,
  { filter, page }: PolicyQuery,
): Promise<{ readonly kind: "listed"; readonly page: Page<PolicyItem> } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.policies.policies(org, filter, page));
  if (found.kind === "problem") return found;
  return found.value === "bad_cursor" ? refuseCursor(page.after) : { kind: "listed", page: found.value };
}
