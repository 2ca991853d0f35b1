import { randomBytes } from "node:crypto";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import type { ControlClient } from "../connection/control-client.ts";

/** The agent of every probe that names one. */
export const PROBE_AGENT = "svc-doctor";

/** How the tool of every probe begins. */
export const PROBE_TOOLS = "svc.doctor-probe-";

/** Seconds after which the switch of a probe ends if nobody ends it. */
const TTL_S = 120;

/** Bytes of randomness in a name that nobody else has. */
const NAME_BYTES = 8;

/** A call that cannot do anything: no server has its tool, and a kill switch stops it in every mode. */
export interface Probe {
  readonly tool: string;
  /** Stands in the reason of the switch and in no request: who answers with it has asked the gateway. */
  readonly proof: string;
}

type Activated = Extract<
  JsonAnswerOf<typeof killSwitchRoutes.activateKillSwitch>["body"],
  { readonly enforced: boolean; readonly kill_switch_id: string }
>;

/** The switch of a probe, as the server has activated it. */
export type ProbeSwitch = Activated;

export function newProbe(): Probe {
  const name = (): string => randomBytes(NAME_BYTES).toString("hex");
  return { tool: `${PROBE_TOOLS}${name()}`, proof: `svc-doctor-proof-${name()}` };
}

/** Stops the tool of the probe, which nobody else calls. @throws CommandFailure */
export async function activateProbe({ tool, proof }: Probe, client: ControlClient): Promise<ProbeSwitch> {
  const body = {
    scope: "tool",
    target_id: tool,
    reason: proof,
    activated_by: PROBE_AGENT,
    ttl_seconds: TTL_S,
    dry_run: false,
    auto_recovery: false,
  };
  const answer = (await client.ask(killSwitchRoutes.activateKillSwitch, { body })).body;
  if ("kill_switch_id" in answer && "enforced" in answer) return answer;
  throw new Error("the activation of a switch was answered with a dry run");
}

/** @throws CommandFailure; the switch then ends by itself */
export async function endProbe({ kill_switch_id }: ProbeSwitch, client: ControlClient): Promise<void> {
  const body = { reason: "svc-cli doctor has ended", deactivated_by: PROBE_AGENT };
  await client.ask(killSwitchRoutes.deactivateKillSwitch, { params: { kill_switch_id }, body });
}
