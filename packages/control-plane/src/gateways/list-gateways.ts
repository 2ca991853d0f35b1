import type { GatewayRecord } from "@svc/contract/gateway";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

/** Every process of the deployment, by id. They serve all organizations. */
export async function listGateways(
  ports: Pick<ControlPlanePorts, "log" | "gateways">,
): Promise<Outcome<readonly GatewayRecord[]>> {
  const found = await callStore(ports, NOT_READ, () => ports.gateways.list());
  return found.kind === "problem" ? found : { kind: "ok", value: found.value };
}
