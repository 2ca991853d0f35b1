import type { GatewayRecord } from "@svc/contract/gateway";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";

/** Every process of the deployment, by id. They serve all organizations. */
export async function listGateways(
  ports: Pick<ControlPlanePorts, "log" | "gateways">,
): Promise<{ readonly kind: "listed"; readonly gateways: readonly GatewayRecord[] } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.gateways.list());
  return found.kind === "problem" ? found : { kind: "listed", gateways: found.value };
}
