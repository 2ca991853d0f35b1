import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { type Acknowledgements, awaitAcknowledgements, propagationMs } from "../await-acknowledgements.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { ProbeResult } from "../propagation.ts";
import { probeTarget } from "./probe-target.ts";

/**
 * The agents and sessions that a switch affects that was just announced. Null when no gateway acknowledged
 * it, because asking again would only delay the answer.
 */
export async function probeEffect(
  ports: Pick<ControlPlanePorts, "timers" | "log" | "propagation">,
  org: string,
  {
    record,
    acknowledgements,
  }: { readonly record: KillSwitchRecord; readonly acknowledgements: Acknowledgements },
): Promise<ProbeResult | null> {
  if (propagationMs(acknowledgements.gateways, 0) === null) return null;
  return awaitAcknowledgements(ports, () => ports.propagation.probe(probeTarget(org, record)));
}
