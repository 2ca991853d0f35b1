import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";

export async function getKillSwitch(
  ports: Pick<ControlPlanePorts, "log" | "killSwitches">,
  { org }: Principal,
  id: string,
): Promise<{ readonly kind: "found"; readonly record: KillSwitchRecord } | Refusal> {
  const found = await callStore(ports, NOT_READ, () => ports.killSwitches.killSwitch(org, id));
  if (found.kind === "problem") return found;
  return found.value === null ? refuseUnknownSwitch(id) : { kind: "found", record: found.value };
}

export function refuseUnknownSwitch(id: string): Refusal {
  const fix = "GET kill-switch lists them: send the kill_switch_id, which begins with ks_.";
  return refuse("not_found", `This organization has no kill switch ${id}. ${fix}`);
}
