import { agentRoutes } from "@svc/api/agent-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { supervisionRoutes } from "@svc/api/supervision-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";

type Agent = JsonAnswerOf<typeof agentRoutes.listAgents>["body"]["agents"][number];

/** An agent as people watch it. */
export interface AgentView {
  readonly id: string;
  readonly namespace: string;
  readonly severity: Agent["severity"];
  readonly status: Agent["status"];
  readonly quarantined: boolean;
  readonly last_heartbeat: string | null;
  /** Of its worst session. Null: not asked, because it is at INFO, or too many others are not. */
  readonly missed_heartbeats: number | null;
  readonly escalation_eta_seconds: number | null;
  /** Active kill switches on the agent, on its namespace, and on everything. */
  readonly kill_switches: readonly string[];
}

export interface AgentViews {
  readonly agents: readonly AgentView[];
  /** False: more agents are selected, or newer ones are not indexed yet. */
  readonly isAll: boolean;
}

/** Agents that are watched, as pages: the table is read anew every two seconds. */
const MAX_PAGES = 5;

/** Agents above INFO whose heartbeats are asked for one by one, as count. */
const MAX_HEALTHS = 20;

const limit = String(MAX_PAGE_SIZE);

/** The agents that are selected, the first ones by id. */
export async function readAgentViews(
  client: ControlClient,
  query: Readonly<Record<string, string | undefined>>,
): Promise<AgentViews> {
  const agents: Agent[] = [];
  let isAll = true;
  let pages = 0;
  for await (const page of everyPage((cursor) =>
    client.ask(agentRoutes.listAgents, { query: { ...query, limit, cursor } }),
  )) {
    agents.push(...page.agents);
    isAll &&= page.indexed.complete;
    pages += 1;
    if (pages < MAX_PAGES || page.next_cursor === null) continue;
    isAll = false;
    break;
  }
  const switches = await activeSwitches(client);
  const raised = agents.filter(({ severity }) => severity !== "INFO").slice(0, MAX_HEALTHS);
  const healths = new Map(
    await Promise.all(raised.map(async ({ id }) => [id, await healthOf(client, id)] as const)),
  );
  const views = agents.map((agent) => viewOf(agent, healths.get(agent.id) ?? null, switches(agent)));
  return { agents: views, isAll };
}

async function healthOf(client: ControlClient, id: string) {
  const { body } = await client.ask(supervisionRoutes.getAgentHealth, { params: { agent_id: id } });
  return body;
}

type Health = Awaited<ReturnType<typeof healthOf>>;

/** The ids of the switches that stop an agent as a whole. */
async function activeSwitches(client: ControlClient): Promise<(agent: Agent) => readonly string[]> {
  const byTarget = new Map<string, string[]>();
  for await (const page of everyPage((cursor) =>
    client.ask(killSwitchRoutes.listKillSwitches, { query: { status: "active", limit, cursor } }),
  ))
    for (const {
      kill_switch_id: id,
      scope,
      target_id: target,
      account_wide: isGlobal,
    } of page.kill_switches) {
      const key = isGlobal ? "global" : `${scope} ${target ?? ""}`;
      byTarget.set(key, [...(byTarget.get(key) ?? []), id]);
    }
  return ({ id, namespace }) =>
    ["global", `namespace ${namespace}`, `agent ${id}`].flatMap((key) => byTarget.get(key) ?? []);
}

function viewOf(agent: Agent, health: Health | null, kill_switches: readonly string[]): AgentView {
  const { id, namespace, severity, status, last_heartbeat, quarantine } = agent;
  return {
    id,
    namespace,
    severity,
    status,
    quarantined: quarantine !== null,
    last_heartbeat,
    missed_heartbeats: health?.missed_heartbeats ?? null,
    escalation_eta_seconds: health?.escalation_eta_seconds ?? null,
    kill_switches,
  };
}
