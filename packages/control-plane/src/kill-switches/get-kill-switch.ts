import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

export async function getKillSwitch(
  ports: Pick<ControlPlanePorts, "log" | "killSwitches">,
  { org }: Principal,
  id: string,
): Promise<Outcome<KillSwitchRecord>> {
  return readRecord(
    ports,
    () => ports.killSwitches.killSwitch(org, id),
    () => refuseUnknownSwitch(id),
  );
}

export function refuseUnknownSwitch(id: string): Refusal {
  const fix = "GET kill-switch lists them: send the kill_switch_id, which begins with ks_.";
  return refuse("not_found", `This organization has no kill switch ${id}. ${fix}`);
}
