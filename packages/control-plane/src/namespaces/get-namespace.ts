import type { NamespaceRecord } from "@svc/contract/namespace";
import type { Principal } from "@svc/contract/principal";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

export async function getNamespace(
  ports: Pick<ControlPlanePorts, "log" | "namespaces">,
  { org }: Principal,
  id: string,
): Promise<Outcome<NamespaceRecord>> {
  return readRecord(
    ports,
    () => ports.namespaces.namespace(org, id),
    () => refuseUnknownNamespace(id),
  );
}

export function refuseUnknownNamespace(id: string): Refusal {
  return refuse(
    "not_found",
    `This organization has no namespace ${id}. Calls may name it all the same. ` +
      `To describe and configure it, create it first: POST namespaces ${JSON.stringify({ id })}.`,
  );
}
