import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { type Acknowledgements, announceRevision, awaitAcknowledgements } from "../await-acknowledgements.ts";
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

/**
 * Announces a switch, and asks at the same time who is affected: asked afterwards, the answer would come as
 * much later. Both end within the same wait. Neither rejects.
 */
export function announceSwitch(
  ports: Pick<ControlPlanePorts, "timers" | "log" | "clock" | "propagation">,
  { org, record, revision }: CommittedSwitch,
): AnnouncedSwitch {
  const target = probeTarget(org, record);
  return {
    acknowledged: announceRevision(ports, revision),
    probed: awaitAcknowledgements(ports, () => ports.propagation.probe(target, revision)),
  };
}
