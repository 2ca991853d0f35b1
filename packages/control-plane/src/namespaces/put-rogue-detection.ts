import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { NamespaceRogueDetection, RogueDetectionSettings } from "@svc/contract/rogue-detection";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { refuseUnknownNamespace } from "./get-namespace.ts";
import { logNamespace } from "./log-namespace.ts";
import { namespaceRow } from "./namespace-row.ts";
import { rogueDetectionView } from "./rogue-detection-view.ts";

const NOT_CHANGED =
  "The store did not confirm the change, so the settings may be as they were. " +
  "Repeat the call; repeating is safe.";

/** Replaces the settings of a namespace that exists. */
export async function putRogueDetection(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "namespaces">,
  principal: Principal,
  { id, settings }: { readonly id: string; readonly settings: RogueDetectionSettings },
): Promise<Outcome<NamespaceRogueDetection>> {
  const bound = refuseBinding(principal, { agent_id: null, namespace: id });
  if (bound !== null) return { kind: "problem", problem: bound };
  const time = ports.clock.now().toISOString();
  const action = "rogue_detection_changed";
  const auditRow = namespaceRow({ action, principal, time, namespace: id, settings });
  const stored = { settings, updatedAt: time, updatedBy: principal.id };
  const put = await callStore(ports, NOT_CHANGED, () =>
    ports.namespaces.putRogueDetection({ org: principal.org, auditRow, id, stored }),
  );
  if (put.kind === "problem") return put;
  if (put.value.kind === "not_found") return refuseUnknownNamespace(id);
  logNamespace(ports.log, "rogue detection changed", { principal, id });
  return { kind: "ok", value: rogueDetectionView(id, stored) };
}
