import { agentRoutes } from "@svc/api/agent-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { supervisionRoutes } from "@svc/api/supervision-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { type ControlClient, everyPage } from "../connection/control-client.ts";
import { spanText } from "../frame/time-left.ts";
import {
  type AgentSwitches,
  type Governing,
  modeText,
  readAgentSwitches,
  readGoverning,
} from "./read-governing.ts";

type Agent = JsonAnswerOf<typeof agentRoutes.listAgents>["body"]["agents"][number];

/** An agent as people watch it. */
export interface AgentView {
  readonly id: string;
  readonly namespace: string;
  readonly severity: Agent["severity"];
  readonly status: Agent["status"];
  readonly quarantined: boolean;
  readonly last_heartbeat: string | null;
  readonly last_seen: string | null;
  /** Of its worst session. Null: not asked, because it is at INFO, or too many others are not. */
  readonly missed_heartbeats: number | null;
  readonly escalation_eta_seconds: number | null;
  /** Active kill switches on the agent, on its namespace, and on everything. */
  readonly kill_switches: readonly string[];
  readonly governing: Governing;
}

export interface AgentViews {
  readonly agents: readonly AgentView[];
  /** False: more agents are selected, or newer ones are not indexed yet. */
  readonly isAll: boolean;
}

/** Which agents are read, and how far. */
export interface AgentSelection {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly maxPages: number;
  /** Called after each page but the last one. */
  readonly onPage?: (read: number) => void;
}

/** Agents above INFO whose heartbeats are asked for one by one, as count. */
const MAX_HEALTHS = 20;

const limit = String(MAX_PAGE_SIZE);

/** The agents that are selected, the first ones by id. */
export async function readAgentViews(
  client: ControlClient,
  { query, maxPages, onPage }: AgentSelection,
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
    if (page.next_cursor !== null) onPage?.(agents.length);
    if (pages < maxPages || page.next_cursor === null) continue;
    isAll = false;
    break;
  }
  const [switches, governing] = await Promise.all([readAgentSwitches(client), readGoverning(client)]);
  const raised = agents.filter(({ severity }) => severity !== "INFO").slice(0, MAX_HEALTHS);
  const healths = new Map(
    await Promise.all(raised.map(async ({ id }) => [id, await healthOf(client, id)] as const)),
  );
  const views = agents.map((agent) => {
    const health = healths.get(agent.id) ?? null;
    return viewOf(agent, { health, switches: switches(agent), governing: governing(agent) });
  });
  return { agents: views, isAll };
}

async function healthOf(client: ControlClient, id: string) {
  const { body } = await client.ask(supervisionRoutes.getAgentHealth, { params: { agent_id: id } });
  return body;
}

type Health = Awaited<ReturnType<typeof healthOf>>;

interface Known {
  readonly health: Health | null;
  readonly switches: ReturnType<AgentSwitches>;
  readonly governing: Governing;
}

function viewOf(agent: Agent, { health, switches, governing }: Known): AgentView {
  const { id, namespace, severity, status, last_heartbeat, last_seen, quarantine } = agent;
  return {
    id,
    namespace,
    severity,
    status,
    quarantined: quarantine !== null,
    last_heartbeat,
    last_seen,
    missed_heartbeats: health?.missed_heartbeats ?? null,
    escalation_eta_seconds: health?.escalation_eta_seconds ?? null,
    kill_switches: switches.map(({ kill_switch_id }) => kill_switch_id),
    governing,
  };
}

/** What is known of heartbeats, modes and stops, as cells: MISSED, NEXT STEP, MODE, STOPPED BY. */
export function supervisionCells(agent: AgentView): readonly string[] {
  const { missed_heartbeats: missed, escalation_eta_seconds: eta, governing } = agent;
  return [
    missed === null ? "" : String(missed),
    eta === null ? "" : `in ${spanText(eta)}`,
    modeText(governing),
    stoppedBy(agent).join(", "),
  ];
}

export const SUPERVISION_HEADINGS = ["MISSED", "NEXT STEP", "MODE", "STOPPED BY"] as const;

/** The status of an agent, and whether it may only read. */
export function standingText({ status, quarantined }: AgentView): string {
  return quarantined ? `${status}, in quarantine` : status;
}

/** Everything that denies each call of the agent. */
export function stoppedBy({
  kill_switches,
  governing,
}: Pick<AgentView, "kill_switches" | "governing">): readonly string[] {
  const isDisabled = governing.kind === "policy" && !governing.policy.enabled;
  return [...kill_switches, ...(isDisabled ? [`policy ${governing.policy.id} (disabled)`] : [])];
}
