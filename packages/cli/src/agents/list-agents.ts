import { agentRoutes } from "@svc/api/agent-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";

/** What `agents list` selects. */
export interface ListOptions extends ServerOptions, OutputOptions {
  readonly severity?: string;
  readonly status?: string;
  readonly namespace?: string;
  readonly tag?: string;
}

type Page = JsonAnswerOf<typeof agentRoutes.listAgents>["body"];
type Agent = Page["agents"][number];

/** Lists every agent that is selected, page by page. @throws CommandFailure */
export async function listAgents(options: ListOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const { severity, status, namespace, tag } = options;
  const client = new ControlClient(await resolveConnection(options, terminal));
  const agents: Agent[] = [];
  const limit = String(MAX_PAGE_SIZE);
  let isComplete = true;
  const pages = everyPage((cursor) =>
    client.ask(agentRoutes.listAgents, { query: { severity, status, namespace, tag, limit, cursor } }),
  );
  for await (const page of pages) {
    agents.push(...page.agents);
    isComplete &&= page.indexed.complete;
    if (page.next_cursor !== null) output.progress(`${String(agents.length)} agents read`);
  }
  if (!isComplete) output.warn("a log is not indexed to its end: agents that called lately may be missing");
  output.result({
    text: renderTable(HEADINGS, agents.map(rowOf), output.isTerminal),
    schema: "svc.cli.agents/v1",
    json: { complete: isComplete, agents },
    items: agents,
  });
  return "ok";
}

const HEADINGS = ["AGENT", "NAMESPACE", "SEVERITY", "STATUS", "LAST HEARTBEAT", "LAST SEEN"];

function rowOf({ id, namespace, severity, status, last_heartbeat, last_seen }: Agent): readonly string[] {
  return [id, namespace ?? "", severity, status, last_heartbeat ?? "never", last_seen ?? "never"];
}
