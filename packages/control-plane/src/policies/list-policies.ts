import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import type { StoredPolicy } from "@svc/store/ports/policy-store";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuseCursor } from "../refusal.ts";

/** The latest version of each policy, by id. */
export async function listPolicies(
  ports: Pick<ControlPlanePorts, "log" | "policies">,
  { org }: Principal,
  page: PageRequest,
): Promise<{ readonly kind: "listed"; readonly page: Page<StoredPolicy> } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.policies.policies(org, page));
  if (found.kind === "problem") return found;
  return found.value === "bad_cursor" ? refuseCursor(page.after) : { kind: "listed", page: found.value };
}
