import { agentRoutes } from "@svc/api/agent-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { supervisionRoutes } from "@svc/api/supervision-routes";
import { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

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
  const agent = (await client.ask(agentRoutes.getAgent, { params })).body;
  const health = await healthOf(client, params);
  new Output(terminal, options).result({
    text: linesOf(agent, health)
      .map(([name, value]) => `${`${name}:`.padEnd(WIDTH)}${value}\n`)
      .join(""),
    schema: "svc.cli.agent/v1",
    json: { agent, health },
  });
  return "ok";
}

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
    ["quarantine", agent.quarantine === null ? "no" : "yes"],
    ...(health === null
      ? [["heartbeats", "none, so nothing escalates: see docs/ROGUE.md"] as const]
      : healthLines(health)),
  ];
}

function healthLines(health: Health): readonly (readonly [string, string])[] {
  const { severity, missed_heartbeats: missed, escalation_eta_seconds: eta, status } = health;
  return [
    ["severity", `${severity} (${status.replaceAll("_", " ")})`],
    ["last heartbeat", health.last_heartbeat ?? "never"],
    ["missed heartbeats", String(missed)],
    ["next escalation", eta === null ? "none" : `in ${String(eta)} s without a heartbeat`],
    ["sessions", String(health.sessions.length) + (health.next_cursor === null ? "" : " and more")],
    ...health.anomalies.map(
      ({ time, anomaly, explanation }) => ["anomaly", `${time} ${anomaly}: ${explanation}`] as const,
    ),
  ];
}
