import type { Principal } from "@svc/contract/principal";
import type { NamespaceRogueDetection } from "@svc/contract/rogue-detection";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { refuseUnknownNamespace } from "./get-namespace.ts";
import { rogueDetectionView } from "./rogue-detection-view.ts";

/** The settings of a namespace, or the defaults when nobody has set any. */
export async function getRogueDetection(
  ports: Pick<ControlPlanePorts, "log" | "namespaces">,
  { org }: Principal,
  id: string,
): Promise<Outcome<NamespaceRogueDetection>> {
  const found = await callStore(ports, NOT_READ, () => ports.namespaces.rogueDetection(org, id));
  if (found.kind === "problem") return found;
  if (found.value.kind === "not_found") return refuseUnknownNamespace(id);
  return { kind: "ok", value: rogueDetectionView(id, found.value.stored) };
}
