import { gatewayRoutes } from "@svc/api/gateway-routes";
import type { ControlClient } from "../connection/control-client.ts";
import { type Check, notOk, ok } from "./check.ts";
import { GIVE_SWITCH, stoppedBefore } from "./judge-seams.ts";
import { PROBE_AGENT, type Probe, type ProbeSwitch } from "./probe.ts";

/** Whether every gateway enforces the switch that was activated. */
export function checkSwitch({ enforced, gateways, note }: ProbeSwitch): Check {
  const slowest = Math.max(0, ...gateways.map(({ acknowledged_ms: ms }) => ms ?? 0));
  if (enforced)
    return ok(
      "kill switches",
      `every gateway (${String(gateways.length)}) enforces one after ${slowest.toFixed(1)} ms`,
    );
  const silent = gateways.filter(({ acknowledged_ms: ms }) => ms === null).map(({ id }) => id);
  const found = note ?? `no acknowledgement from ${silent.join(", ")}`;
  return notOk("kill switches", "fail", found, "look at the log of the gateways that are named");
}

/** Whether the gateway denies the probe. Nothing runs: svc-cli only asks. */
export async function checkDecision(
  client: ControlClient,
  { probe, proof }: { readonly probe: Probe; readonly proof: string | null },
): Promise<Check> {
  const body = { agent_id: PROBE_AGENT, session_id: PROBE_AGENT, tool: probe.tool, args: {} };
  const { body: verdict } = await client.ask(gatewayRoutes.executeCall, { body });
  if (verdict.decision === "deny") {
    if (proof !== null && verdict.reason.includes(proof))
      return ok("decisions", "the gateway denies a call that a kill switch stops");
    if (proof === null) return ok("decisions", `the gateway denies an unknown tool (${verdict.reason_code})`);
    if (verdict.reason_code === "kill_switch")
      return stoppedBefore("decisions", verdict.kill_switch_id ?? null);
    return notOk("decisions", "fail", `it denies for another reason: ${verdict.reason}`, "look at its log");
  }
  if (proof === null) return notOk("decisions", "unknown", "a policy allows the probe", GIVE_SWITCH);
  return notOk(
    "decisions",
    "fail",
    `it answers ${verdict.decision} to a call that a kill switch stops`,
    "stop agents by other means, and look at the log of svc-server",
  );
}
