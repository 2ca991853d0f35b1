import { agentRoutes } from "@svc/api/agent-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { supervisionRoutes } from "@svc/api/supervision-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { nearestName } from "@svc/text/nearest-name";
import { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { targetText } from "../kill/switch-facts.ts";
import { disabledPolicyText } from "../policies/move-policy.ts";
import { readBusyColumns } from "./busy-agents.ts";
import {
  type AgentSwitches,
  type Governing,
  modeText,
  readAgentSwitches,
  readGoverning,
} from "./read-governing.ts";

type Agent = JsonAnswerOf<typeof agentRoutes.getAgent>["body"];
type Health = JsonAnswerOf<typeof supervisionRoutes.getAgentHealth>["body"];

/** Shows one agent. @throws CommandFailure */
export async function showAgent(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const params = { agent_id: id };
  const agent = await readAgent(client, id);
  const health = await healthOf(client, params);
  const switches = (await readAgentSwitches(client))(agent);
  const governing = (await readGoverning(client))(agent);
  const busy = await readBusyColumns(client);
  new Output(terminal, options).result({
    text: [
      ...linesOf(agent, health),
      ["last minutes", busy.sentence(id)],
      ...stopLines(agent, switches, governing),
    ]
      .map(([name, value]) => `${`${name}:`.padEnd(WIDTH)}${value}\n`)
      .join(""),
    schema: "svc.cli.agent/v1",
    json: { agent, health, activity: busy.of(id), kill_switches: switches, governing },
  });
  return "ok";
}

/** @throws CommandFailure `failed` when nobody has seen it, with one of a similar name */
async function readAgent(client: ControlClient, id: string): Promise<Agent> {
  try {
    return (await client.ask(agentRoutes.getAgent, { params: { agent_id: id } })).body;
  } catch (fault) {
    if (!(fault instanceof RequestFailure) || fault.code !== "not_found" || fault.outcome !== "failed")
      throw fault;
    const { agents } = (await client.ask(agentRoutes.listAgents, { query: NAMES })).body;
    const nearest = nearestName(
      id,
      agents.map((one) => one.id),
    );
    const hint = nearest === null ? "svc-cli agents list shows them" : `did you mean ${nearest}?`;
    throw new CommandFailure("failed", `nobody has registered agent ${id}, and it has never called: ${hint}`);
  }
}

/** Agents among which a similar name is looked for. */
const NAMES = { limit: String(MAX_PAGE_SIZE) };

/** Null for an agent that has called, but is not registered and has never sent a heartbeat. */
async function healthOf(
  client: ControlClient,
  params: { readonly agent_id: string },
): Promise<Health | null> {
  try {
    return (await client.ask(supervisionRoutes.getAgentHealth, { params })).body;
  } catch (error) {
    if (error instanceof RequestFailure && error.code === "not_found" && error.outcome === "failed")
      return null;
    throw error;
  }
}

/** Characters of the longest name, with a colon and a blank. */
const WIDTH = 20;

function linesOf(agent: Agent, health: Health | null): readonly (readonly [string, string])[] {
  return [
    ["agent", agent.id],
    ["namespace", agent.namespace ?? "none"],
    ["status", agent.status],
    ["registered", agent.registered_at ?? "no"],
    ["last seen", agent.last_seen ?? "never"],
    ...(health === null
      ? [["heartbeats", "none, so nothing escalates: see docs/ROGUE.md"] as const]
      : healthLines(health)),
  ];
}

type Line = readonly [string, string];

/** What denies its calls, and what decides about them. */
function stopLines(
  { quarantine }: Agent,
  switches: ReturnType<AgentSwitches>,
  governing: Governing,
): readonly Line[] {
  return [
    ["quarantine", quarantine === null ? "no" : quarantineText(quarantine)],
    ["policy", policyText(governing)],
    ...(switches.length === 0
      ? [["kill switches", "none on the agent, its namespace or everything"] as const]
      : switches.map((one) => ["STOPPED BY", switchText(one)] as const)),
  ];
}

function quarantineText(quarantine: NonNullable<Agent["quarantine"]>): string {
  const { reason, quarantined_by: by, expires_at: end } = quarantine;
  return `only read-only tools: ${reason} (${by}${end === null ? "" : `, until ${end}`})`;
}

function policyText(governing: Governing): string {
  if (governing.kind !== "policy") return modeText(governing);
  const { id, mode, enabled } = governing.policy;
  return enabled ? `${id}, ${mode}` : disabledPolicyText(id);
}

function switchText(one: ReturnType<AgentSwitches>[number]): string {
  const { kill_switch_id: id, reason, activated_by: by, expires_at: end } = one;
  return `${id} on ${targetText(one)}: ${reason} (${by}${end === null ? "" : `, until ${end}`})`;
}

function healthLines(health: Health): readonly (readonly [string, string])[] {
  const { severity, missed_heartbeats: missed, escalation_eta_seconds: eta, status } = health;
  return [
    ["severity", `${severity} (${status.replaceAll("_", " ")})`],
    ["last heartbeat", health.last_heartbeat ?? "never"],
    ["missed heartbeats", String(missed)],
    ["next escalation", eta === null ? "none" : `in ${String(eta)} s without a heartbeat`],
    ["watched sessions", String(health.sessions.length) + (health.next_cursor === null ? "" : " and more")],
    ...health.anomalies.map(
      ({ time, anomaly, explanation }) => ["anomaly", `${time} ${anomaly}: ${explanation}`] as const,
    ),
  ];
}
