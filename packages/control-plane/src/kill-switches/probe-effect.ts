import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { type Acknowledgements, hear, slowestMs } from "../hear-gateways.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { ProbeResult } from "../propagation.ts";
import { probeTarget } from "./probe-target.ts";

/**
 * Whom a switch that was just announced affects; null when no gateway acknowledged it, since asking again
 * would only delay the answer.
 */
export async function probeEffect(
  ports: Pick<ControlPlanePorts, "timers" | "log" | "propagation">,
  org: string,
  { record, heard }: { readonly record: KillSwitchRecord; readonly heard: Acknowledgements },
): Promise<ProbeResult | null> {
  if (slowestMs(heard.gateways) === null) return null;
  return hear(ports, () => ports.propagation.probe(probeTarget(org, record)));
}
