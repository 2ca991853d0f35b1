import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { type Acknowledgements, askGateways, awaitAcknowledgements } from "../await-acknowledgements.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { ProbeResult } from "../propagation.ts";
import { probeTarget } from "./probe-target.ts";

/** A switch as it was just committed. */
export interface CommittedSwitch {
  readonly org: string;
  readonly record: KillSwitchRecord;
  readonly revision: number;
}

export interface AnnouncedSwitch {
  readonly acknowledged: Promise<Acknowledgements>;
  /** The agents and sessions that it affects; null when no gateway could be asked. */
  readonly probed: Promise<ProbeResult | null>;
}

/** Announces a switch, and finds out who is affected. Both end within the same wait. Neither rejects. */
export function announceSwitch(
  ports: Pick<ControlPlanePorts, "timers" | "log" | "clock" | "propagation">,
  { org, record, revision }: CommittedSwitch,
): AnnouncedSwitch {
  const { kill_switch_id: killSwitchId } = record;
  const target = probeTarget(org, record);
  const announced = ports.propagation.announceSwitch({ killSwitchId, revision, target });
  const acknowledged = askGateways(ports, async () => ({ gateways: await announced.acknowledged }));
  return {
    acknowledged: acknowledged.then(({ acknowledgements }) => acknowledgements),
    probed: awaitAcknowledgements(ports, () => announced.probed),
  };
}
