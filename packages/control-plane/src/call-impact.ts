import { faultFields } from "@svc/contract/fault-fields";
import type { ControlPlanePorts } from "./ports.ts";
import type { ProbeTarget } from "./propagation.ts";

/** How many calls a containment would stop, in their wire form. Null: they could not be counted. */
export interface CallCounts {
  readonly calls_per_hour: number | null;
  readonly calls_in_flight: number | null;
}

const HOUR_MS = 60 * 60 * 1_000;

const UNKNOWN: CallCounts = { calls_per_hour: null, calls_in_flight: null };

type CountPorts = Pick<ControlPlanePorts, "clock" | "log"> & Partial<Pick<ControlPlanePorts, "callCounter">>;

/** Counts the calls of a target that were allowed in the last hour, of all gateways. Never rejects. */
export async function countCalls(
  { clock, log, callCounter }: CountPorts,
  { org, scope, targetId }: ProbeTarget,
): Promise<CallCounts> {
  if (callCounter === undefined) return UNKNOWN;
  try {
    const sinceMs = clock.now().getTime() - HOUR_MS;
    const counted = await callCounter.allowed({ org, scope, targetId, sinceMs });
    // What is left out could be in flight.
    if (counted === null) return UNKNOWN;
    return { calls_per_hour: counted.allowed, calls_in_flight: counted.withoutOutcome };
  } catch (error) {
    log.warn(faultFields(error), "the calls that a containment would stop could not be counted");
    return UNKNOWN;
  }
}
