import { randomBytes } from "node:crypto";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import type { Seams } from "../connection/context-file.ts";
import type { ControlClient } from "../connection/control-client.ts";
import { endpointOf } from "../connection/prepare-request.ts";
import { askSeam } from "./ask-seam.ts";
import type { Check } from "./check.ts";
import { judgeGuardrail, judgeHttp, judgeMcp } from "./judge-seams.ts";
import type { SeenDecisions } from "./seen-decisions.ts";

interface SeamProbe {
  readonly probe: Probe;
  /** Null: no switch stops the probe. */
  readonly proof: string | null;
  readonly seen: Pick<SeenDecisions, "about">;
  /** The agent that the seams are told; null: that of their settings. */
  readonly agentId: string | null;
}

/** Sends the probe through each seam. */
export async function probeSeams(seams: Seams, seamProbe: SeamProbe): Promise<readonly Check[]> {
  const { envoy, mcp, forward_auth, guardrail } = seams;
  const asked: Promise<Check>[] = [];
  if (envoy !== undefined) asked.push(probeHttp(`Envoy at ${envoy}`, new URL(envoy), seamProbe));
  if (mcp !== undefined) asked.push(probeMcp(`MCP at ${mcp}`, new URL(mcp), seamProbe));
  if (forward_auth !== undefined)
    asked.push(probeHttp(`auth hook at ${forward_auth}`, new URL(forward_auth), seamProbe));
  if (guardrail !== undefined)
    asked.push(probeGuardrail(`guardrail at ${guardrail}`, new URL(guardrail), seamProbe));
  return Promise.all(asked);
}

/** The settings of a seam may name its agent, and then no other one may be named. */
async function withSomeAgent(
  { agentId }: Pick<SeamProbe, "agentId">,
  attempt: (identity: Readonly<Record<string, string>>) => Promise<Check>,
): Promise<Check> {
  if (agentId !== null) return attempt({ "x-svc-agent-id": agentId });
  const check = await attempt({});
  const isNameless = check.state === "unknown" && check.found.includes("agent_unknown");
  return isNameless ? attempt({ "x-svc-agent-id": PROBE_AGENT }) : check;
}

/**
 * A GET, which changes nothing at a backend. Its query names the probe, so that the log shows whether the
 * gateway was asked about it, and what it answered.
 */
function probeHttp(name: string, url: URL, seamProbe: SeamProbe): Promise<Check> {
  const { probe, proof, seen } = seamProbe;
  return withSomeAgent(seamProbe, async (identity) => {
    const nonce = newProbe().tool;
    const target = pathed(url, `/check/${probe.tool}`);
    target.searchParams.set("probe", nonce);
    // Proxies set these headers anew. svc-checkgw itself believes them.
    const answer = await askSeam(target, { headers: { ...identity, "x-svc-tool": probe.tool } });
    return judgeHttp(name, { answer, proof, decision: await seen.about(nonce) });
  });
}

function probeMcp(name: string, url: URL, seamProbe: SeamProbe): Promise<Check> {
  const { probe, proof } = seamProbe;
  const params = { name: probe.tool, arguments: {} };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "x-svc-session-id": PROBE_AGENT,
  };
  return withSomeAgent(seamProbe, async (identity) => {
    const init = { method: "POST", headers: { ...headers, ...identity }, body };
    return judgeMcp(name, { answer: await askSeam(pathed(url, "/mcp"), init), proof });
  });
}

/** An answer of a model that calls the tool of the probe, as Portkey sends it. */
function probeGuardrail(name: string, url: URL, seamProbe: SeamProbe): Promise<Check> {
  const { probe, proof } = seamProbe;
  const call = { id: "1", type: "function", function: { name: probe.tool, arguments: "{}" } };
  const message = { role: "assistant", content: null, tool_calls: [call] };
  const body = JSON.stringify({
    eventType: "afterRequestHook",
    requestType: "chatComplete",
    request: { json: { model: "m", messages: [{ role: "user", content: "-" }] } },
    response: { json: { choices: [{ index: 0, message, finish_reason: "tool_calls" }] }, statusCode: 200 },
  });
  return withSomeAgent(seamProbe, async (identity) => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...identity }, body };
    return judgeGuardrail(name, { answer: await askSeam(pathed(url, "/guardrail/portkey"), init), proof });
  });
}

/** An address without a path gets the one that ships. */
function pathed(url: URL, path: string): URL {
  return url.pathname === "/" ? endpointOf(url, path) : url;
}

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
