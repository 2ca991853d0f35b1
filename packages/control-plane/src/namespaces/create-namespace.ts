import type { NamespaceCreation, NamespaceRecord } from "@svc/contract/namespace";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import { callStore } from "../call-store.ts";
import { refuseLookAlike } from "../names/refuse-look-alike.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { logNamespace } from "./log-namespace.ts";
import { namespaceRow } from "./namespace-row.ts";

const NOT_CREATED =
  "The store did not confirm the new namespace, so it may not exist. Look before you try again.";

/** Describes a namespace. Calls may name it before and after. */
export async function createNamespace(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "namespaces" | "knownNames">,
  principal: Principal,
  { id, name, description }: NamespaceCreation,
): Promise<Outcome<NamespaceRecord>> {
  const bound = refuseBinding(principal, { agent_id: null, namespace: id });
  if (bound !== null) return { kind: "problem", problem: bound };
  const alike = refuseLookAlike(ports, principal, { field: "id", scope: "namespace", name: id });
  if (alike !== null) return alike;
  const time = ports.clock.now().toISOString();
  const times = { created_at: time, created_by: principal.id, updated_at: time };
  const record = { id, name, description, ...times };
  const changed = { name, description };
  const auditRow = namespaceRow({ action: "created", principal, time, namespace: id, changed });
  const stored = await callStore(ports, NOT_CREATED, () =>
    ports.namespaces.createNamespace({ org: principal.org, auditRow, record }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "created":
      logNamespace(ports.log, "namespace created", { principal, id });
      return { kind: "ok", value: record };
    case "existing":
      return refuse(
        "conflict",
        `Namespace ${id} already exists. Change it with PATCH namespaces/${encodeURIComponent(id)}.`,
      );
    case "too_many":
      return refuse(
        "limit_reached",
        "This organization has as many namespaces as it can have. Remove one that is no longer used.",
      );
  }
}
