import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";
import {
  type AgentView,
  readAgentViews,
  SUPERVISION_HEADINGS,
  standingText,
  supervisionCells,
} from "./agent-views.ts";

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
  if (!isAll) output.warn("a log is not indexed to its end: agents that called lately may be missing");
  output.result({
    text: renderTable(HEADINGS, agents.map(rowOf), output.isTerminal),
    schema: "svc.cli.agents/v1",
    json: { complete: isAll, agents },
    items: agents,
  });
  return "ok";
}

const HEADINGS = [
  "AGENT",
  "NAMESPACE",
  "SEVERITY",
  "STATUS",
  "LAST HEARTBEAT",
  "LAST SEEN",
  ...SUPERVISION_HEADINGS,
];

function rowOf(agent: AgentView): readonly string[] {
  const { id, namespace, severity, last_heartbeat, last_seen } = agent;
  const seen = [last_heartbeat ?? "never", last_seen ?? "never"];
  return [id, namespace, severity, standingText(agent), ...seen, ...supervisionCells(agent)];
}
