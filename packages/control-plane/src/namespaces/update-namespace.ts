import type { NamespaceRecord, NamespaceUpdate } from "@svc/contract/namespace";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { refuseUnknownNamespace } from "./get-namespace.ts";
import { logNamespace } from "./log-namespace.ts";
import { namespaceRow } from "./namespace-row.ts";

const NOT_UPDATED =
  "The store did not confirm the change, so the namespace may be as it was. " +
  "Repeat the call; repeating is safe.";

/** Changes the name, the description or both. */
export async function updateNamespace(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "namespaces">,
  principal: Principal,
  { id, update }: { readonly id: string; readonly update: NamespaceUpdate },
): Promise<Outcome<NamespaceRecord>> {
  const bound = refuseBinding(principal, { agent_id: null, namespace: id });
  if (bound !== null) return { kind: "problem", problem: bound };
  const time = ports.clock.now().toISOString();
  const auditRow = namespaceRow({ action: "updated", principal, time, namespace: id, changed: update });
  const stored = await callStore(ports, NOT_UPDATED, () =>
    ports.namespaces.updateNamespace({ org: principal.org, auditRow, id, update, updatedAt: time }),
  );
  if (stored.kind === "problem") return stored;
  if (stored.value.kind === "not_found") return refuseUnknownNamespace(id);
  logNamespace(ports.log, "namespace updated", { principal, id });
  return { kind: "ok", value: stored.value.record };
}
