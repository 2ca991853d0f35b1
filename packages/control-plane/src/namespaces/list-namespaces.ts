import type { NamespaceRecord } from "@svc/contract/namespace";
import type { Principal } from "@svc/contract/principal";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

/** By id. */
export async function listNamespaces(
  ports: Pick<ControlPlanePorts, "log" | "namespaces">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<NamespaceRecord>>> {
  return readPage(ports, page, () => ports.namespaces.namespaces(org, page));
}
