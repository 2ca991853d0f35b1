import type { PolicyVersionItem } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { refuseUnknownPolicy } from "./get-policy.ts";

export interface PolicyVersionsQuery {
  readonly id: string;
  readonly page: PageRequest;
}

/** Every version of one policy, newest first, without documents. */
export async function listPolicyVersions(
  ports: Pick<ControlPlanePorts, "log" | "policies">,
  { org }: Principal,
  { id, page }: PolicyVersionsQuery,
): Promise<Outcome<Page<PolicyVersionItem>>> {
  const found = await readPage(ports, page, () => ports.policies.policyVersions(org, id, page));
  if (found.kind === "problem") return found;
  // A policy has at least one version, so a first page without any means that the policy does not exist.
  const unknown = page.after === null && found.value.items.length === 0;
  return unknown ? refuseUnknownPolicy(id) : { kind: "ok", value: found.value };
}
