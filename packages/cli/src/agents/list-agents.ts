import { SEVERITIES } from "@svc/contract/severity";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import {
  type AgentView,
  readAgentViews,
  SUPERVISION_HEADINGS,
  standingText,
  supervisionCells,
} from "./agent-views.ts";
import { BUSY_HEADINGS, type BusyColumns, readBusyColumns } from "./busy-agents.ts";

/** What `agents list` selects. */
export interface ListOptions extends ServerOptions, OutputOptions {
  readonly severity?: string;
  readonly status?: string;
  readonly namespace?: string;
  readonly tag?: string;
}

/** Lists every agent that is selected, with what stops it. @throws CommandFailure */
export async function listAgents(options: ListOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const { severity, status, namespace, tag } = options;
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { agents, isAll } = await readAgentViews(client, {
    query: { severity, status, namespace, tag },
    maxPages: Number.POSITIVE_INFINITY,
    onPage: (read) => output.progress(`${String(read)} agents read`),
  });
  const busy = await readBusyColumns(client);
  if (busy.warning !== null) output.warn(busy.warning);
  if (!isAll) output.warn("a log is not indexed to its end: agents that called lately may be missing");
  const shown = agents.map((agent) => ({ ...agent, activity: busy.of(agent.id) }));
  output.result({
    text: renderTable(
      HEADINGS,
      worstFirst(agents, busy).map((agent) => rowOf(agent, busy)),
      output.isTerminal,
    ),
    schema: "svc.cli.agents/v1",
    json: { complete: isAll, agents: shown },
    items: shown,
  });
  return "ok";
}

/** By severity, then by calls of the last minutes: who is looked for is rarely the first one by name. */
function worstFirst(agents: readonly AgentView[], busy: BusyColumns): readonly AgentView[] {
  const rank = ({ severity }: AgentView): number => SEVERITIES.indexOf(severity);
  const calls = ({ id }: AgentView): number => {
    const agent = busy.of(id);
    return agent === null || agent === "not known" ? 0 : agent.calls;
  };
  return agents.toSorted((left, right) => rank(right) - rank(left) || calls(right) - calls(left));
}

const HEADINGS = [
  "AGENT",
  "NAMESPACE",
  "SEVERITY",
  "STATUS",
  "LAST HEARTBEAT",
  "LAST SEEN",
  ...SUPERVISION_HEADINGS,
  ...BUSY_HEADINGS,
];

function rowOf(agent: AgentView, busy: BusyColumns): readonly string[] {
  const { id, namespace, severity, last_heartbeat, last_seen } = agent;
  const seen = [last_heartbeat ?? "never", last_seen ?? "never"];
  return [
    id,
    namespace,
    severity,
    standingText(agent),
    ...seen,
    ...supervisionCells(agent),
    ...busy.cells(id),
  ];
}
