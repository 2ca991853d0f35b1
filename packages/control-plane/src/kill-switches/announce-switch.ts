import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { type Acknowledgements, askGateways, awaitAcknowledgements } from "../await-acknowledgements.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { ProbeResult, RecentCallers } from "../propagation.ts";
import { recentCallers, sightedByLog } from "../recent-callers.ts";
import { probeTarget } from "./probe-target.ts";

/** A switch as it was just committed. */
export interface CommittedSwitch {
  readonly org: string;
  readonly record: KillSwitchRecord;
  readonly revision: number;
}

export interface AnnouncedSwitch {
  readonly acknowledged: Promise<Acknowledgements>;
  /** What the gateways know of its target; null when none could be asked. */
  readonly probed: Promise<ProbeResult | null>;
  /** The agents and sessions that it affects. */
  readonly affected: Promise<RecentCallers | null>;
}

/** Announces a switch, and finds out who is affected. Each ends within the same wait. None rejects. */
export function announceSwitch(
  ports: Pick<ControlPlanePorts, "timers" | "log" | "clock" | "propagation"> &
    Partial<Pick<ControlPlanePorts, "callCounter">>,
  { org, record, revision }: CommittedSwitch,
): AnnouncedSwitch {
  const { kill_switch_id: killSwitchId } = record;
  const target = probeTarget(org, record);
  const announced = ports.propagation.announceSwitch({ killSwitchId, revision, target });
  const acknowledged = askGateways(ports, async () => ({ gateways: await announced.acknowledged }));
  const probed = awaitAcknowledgements(ports, () => announced.probed);
  return {
    acknowledged: acknowledged.then(({ acknowledgements }) => acknowledgements),
    probed: sightedByLog(ports, { target, probed, isPatient: false }),
    affected: recentCallers(ports, { target, probed, isPatient: false }),
  };
}
