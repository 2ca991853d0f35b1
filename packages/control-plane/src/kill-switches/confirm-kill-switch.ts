import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { askAboutTarget } from "./ask-about-target.ts";
import { getKillSwitch } from "./get-kill-switch.ts";
import { type KillSwitchAnswer, killSwitchAnswer } from "./kill-switch-answer.ts";
import { probeTarget } from "./probe-target.ts";

export interface Confirmation {
  readonly id: string;
  /** Whether the activation that is repeated gave an active switch a later end. */
  readonly extended: boolean;
}

/** Says what an earlier activation means now. Changes nothing, and asks the gateways again. */
export async function confirmKillSwitch(
  ports: Pick<ControlPlanePorts, "timers" | "log" | "clock" | "killSwitches" | "propagation"> &
    Partial<Pick<ControlPlanePorts, "callCounter">>,
  principal: Principal,
  { id, extended }: Confirmation,
): Promise<
  | { readonly kind: "active"; readonly answer: KillSwitchAnswer }
  | { readonly kind: "ended"; readonly record: KillSwitchRecord }
  | Refusal
> {
  const found = await getKillSwitch(ports, principal, id);
  if (found.kind === "problem") return found;
  const { value: record } = found;
  if (record.status === "inactive") return { kind: "ended", record };
  const target = probeTarget(principal.org, record);
  const asked = await askAboutTarget(ports, target);
  return { kind: "active", answer: killSwitchAnswer(record, { ...asked, extended }) };
}
