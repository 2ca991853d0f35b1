import type { CallerOptions } from "../caller.ts";
import type { DrillGateway } from "../local/drill-gateway.ts";
import { BYSTANDER, DRILL_AGENT } from "../local/local-cluster.ts";

/** Pause in milliseconds between calls that a kill stops. It bounds how exactly the kill is timed. */
const PROBE_PAUSE_MS = 4;

/** Pause in milliseconds between calls that nobody stops: about 50 calls/s to each gateway. */
const LOAD_PAUSE_MS = 20;

/** Calls of the agent that the drill stops, to each gateway. */
export function probeCallersOf(gateways: readonly DrillGateway[]): readonly CallerOptions[] {
  return gateways.map((one) => ({
    apiOf: () => one.api,
    gateway: one.id,
    call: { agent_id: DRILL_AGENT, session_id: `probe-${one.id}`, tool: "drill.probe" },
    pauseMs: PROBE_PAUSE_MS,
  }));
}

/** Calls of another agent, to each gateway. */
export function loadCallersOf(gateways: readonly DrillGateway[]): readonly CallerOptions[] {
  return gateways.map((one) => ({
    apiOf: () => one.api,
    gateway: one.id,
    call: { agent_id: BYSTANDER, session_id: `load-${one.id}`, tool: "drill.load" },
    pauseMs: LOAD_PAUSE_MS,
  }));
}
