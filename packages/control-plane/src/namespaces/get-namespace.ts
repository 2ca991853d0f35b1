import type { NamespaceRecord } from "@svc/contract/namespace";
import type { Principal } from "@svc/contract/principal";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";

export async function getNamespace(
  ports: Pick<ControlPlanePorts, "log" | "namespaces">,
  { org }: Principal,
  id: string,
): Promise<{ readonly kind: "found"; readonly record: NamespaceRecord } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.namespaces.namespace(org, id));
  if (found.kind === "problem") return found;
  return found.value === null ? refuseUnknownNamespace(id) : { kind: "found", record: found.value };
}

export function refuseUnknownNamespace(id: string): Refusal {
  return refuse(
    "not_found",
    `This organization has no namespace ${id}. Calls may name it all the same. ` +
      `To describe and configure it, create it first: POST namespaces ${JSON.stringify({ id })}.`,
  );
}
