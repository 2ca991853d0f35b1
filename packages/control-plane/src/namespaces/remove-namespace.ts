import type { NamespaceRecord } from "@svc/contract/namespace";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { NamespaceUse } from "@svc/store/ports/namespace-store";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { refuseUnknownNamespace } from "./get-namespace.ts";
import { logNamespace } from "./log-namespace.ts";
import { namespaceRow } from "./namespace-row.ts";

const STILL_THERE =
  "The store did not confirm the removal, so the namespace may still exist. Look before you try again.";

/** Removes a namespace that nothing names, together with its settings. */
export async function removeNamespace(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "namespaces">,
  principal: Principal,
  id: string,
): Promise<Outcome<NamespaceRecord>> {
  const bound = refuseBinding(principal, { agent_id: null, namespace: id });
  if (bound !== null) return { kind: "problem", problem: bound };
  const time = ports.clock.now().toISOString();
  const auditRow = namespaceRow({ action: "removed", principal, time, namespace: id });
  const stored = await callStore(ports, STILL_THERE, () =>
    ports.namespaces.removeNamespace({ org: principal.org, auditRow, id }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "removed":
      logNamespace(ports.log, "namespace removed", { principal, id });
      return { kind: "ok", value: stored.value.record };
    case "not_found":
      return refuseUnknownNamespace(id);
    case "permanent":
      return refuse("conflict", `Namespace ${id} cannot be removed: calls that name none are in it.`);
    case "in_use":
      return refuse("conflict", describeUse(id, stored.value.use));
  }
}

function describeUse(id: string, { assignments, killSwitches, agents, keys }: NamespaceUse): string {
  const uses = [
    ...named("policy assignment", assignments),
    ...named("active kill switch", killSwitches),
    ...named("registered agent", agents),
    ...named("bound key", keys),
  ];
  return (
    `Namespace ${id} is in use by ${uses.join("; ")}. ` +
    "Remove, move, deactivate or revoke what names it first."
  );
}

function named(what: string, ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [`${what} ${ids.join(", ")}`];
}
