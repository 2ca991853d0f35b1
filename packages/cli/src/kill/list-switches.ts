import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";
import { targetText } from "./target-text.ts";

export interface ListOptions extends ServerOptions, OutputOptions {
  readonly status: "active" | "inactive" | "all";
}

type KillSwitch = JsonAnswerOf<typeof killSwitchRoutes.listKillSwitches>["body"]["kill_switches"][number];

/** Lists the switches of the organization, page by page. @throws CommandFailure */
export async function listSwitches(options: ListOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { status } = options;
  const switches: KillSwitch[] = [];
  const pages = everyPage((cursor) =>
    client.ask(killSwitchRoutes.listKillSwitches, { query: { status, cursor } }),
  );
  for await (const page of pages) {
    switches.push(...page.kill_switches);
    if (page.next_cursor !== null) output.progress(`${String(switches.length)} switches read`);
  }
  output.result({
    text:
      switches.length === 0
        ? `no ${status === "all" ? "" : `${status} `}kill switches\n`
        : renderTable(HEADINGS, switches.map(rowOf), output.isTerminal),
    schema: "svc.cli.kill-list/v1",
    json: { kill_switches: switches },
    items: switches,
  });
  return "ok";
}

const HEADINGS = ["ID", "STATUS", "STOPS", "SINCE", "ENDS", "BY", "SOURCE", "REASON"];

function rowOf(one: KillSwitch): readonly string[] {
  const { ended_at, expires_at } = one;
  return [
    one.kill_switch_id,
    one.status,
    targetText(one),
    one.activated_at,
    ended_at === null ? (expires_at ?? "never by itself") : `ended ${ended_at}`,
    one.activated_by,
    one.trigger_source,
    one.reason,
  ];
}
