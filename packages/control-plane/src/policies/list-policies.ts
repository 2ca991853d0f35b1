import type { PolicyItem } from "@svc/contract/policy";
import type { PolicyFilter } from "@svc/contract/policy-list";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

export interface PolicyQuery {
  readonly filter: PolicyFilter;
  readonly page: PageRequest;
}

/** The policies that a filter lets pass, by id, each in its latest version and without its document. */
export async function listPolicies(
  ports: Pick<ControlPlanePorts, "log" | "policies">,
  { org }: Principal,
  { filter, page }: PolicyQuery,
): Promise<Outcome<Page<PolicyItem>>> {
  return readPage(ports, page, () => ports.policies.policies(org, filter, page));
}
