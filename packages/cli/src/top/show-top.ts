import { setTimeout as delay } from "node:timers/promises";
import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import type { BUSY_SORTS } from "@svc/contract/agent-activity";
import { stoppedBy } from "../agents/agent-views.ts";
import { BUSY_HEADINGS, busyCells, comparedText, lengthText } from "../agents/busy-agents.ts";
import { readAgentSwitches, readGoverning } from "../agents/read-governing.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { counted } from "../frame/counted.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { Screen } from "../frame/screen.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { untilEnded } from "../frame/until-ended.ts";

type Busy = JsonAnswerOf<typeof agentActivityRoutes.listBusyAgents>["body"];

/** The busiest agents, and what stops each. Null: the key may not read that. */
interface Top extends Busy {
  readonly stopped_by: readonly (readonly string[] | null)[];
}

export interface TopOptions extends ServerOptions, OutputOptions {
  readonly since?: string;
  readonly sort: (typeof BUSY_SORTS)[number];
  readonly lines: number;
  readonly watch: boolean;
}

/** Milliseconds between two looks. */
const EVERY_MS = 2_000;

/** Shows the busiest agents, once or again and again. @throws CommandFailure */
export async function showTop(options: TopOptions, terminal: Terminal): Promise<Outcome> {
  if (options.watch) return watchTop(options, terminal);
  const output = new Output(terminal, options);
  const top = await readTop(new ControlClient(await resolveConnection(options, terminal)), options);
  for (const gap of gapsOf(top)) output.warn(gap);
  const agents = top.agents.map((agent, at) => ({ ...agent, stopped_by: top.stopped_by[at] ?? null }));
  const { stopped_by: _, ...json } = top;
  const text = output.isTerminal ? pageOf(top) : renderTable([], rowsOf(top), false);
  output.result({ text, schema: "svc.cli.top/v1", json: { ...json, agents }, items: agents });
  return "ok";
}

async function readTop(client: ControlClient, { since, sort, lines }: TopOptions): Promise<Top> {
  const query = { since, sort, limit: String(lines) };
  const { body } = await client.ask(agentActivityRoutes.listBusyAgents, { query });
  return { ...body, stopped_by: await stopsOf(client, body.agents) };
}

/** What denies each call of an agent: who is stopped already needs nobody to stop it. */
async function stopsOf(client: ControlClient, agents: Busy["agents"]): Promise<Top["stopped_by"]> {
  if (agents.length === 0) return [];
  try {
    const [switches, governing] = await Promise.all([readAgentSwitches(client), readGoverning(client)]);
    return agents.map(({ agent_id: id, namespace }) => {
      const agent = { id, namespace };
      const ids = switches(agent).map(({ kill_switch_id }) => kill_switch_id);
      return stoppedBy({ kill_switches: ids, governing: governing(agent) });
    });
  } catch (fault) {
    if (fault instanceof CommandFailure && fault.outcome === "refused") return agents.map(() => null);
    throw fault;
  }
}

/** @param options `since` is how long ago the command started to count, so the start of the time stays */
async function watchTop(options: TopOptions, terminal: Terminal): Promise<Outcome> {
  if (options.output !== "pretty" || options.quiet || !Screen.isPossible(terminal))
    throw new CommandFailure("usage", "-w shows a picture at a terminal; run the command again instead");
  const connection = await resolveConnection(options, terminal);
  const screen = new Screen(terminal, options);
  let last = "";
  try {
    return await untilEnded(terminal, async (signal) => {
      const client = new ControlClient(connection, signal);
      for (;;) {
        try {
          const top = await readTop(client, options);
          last = [...gapsOf(top).map((gap) => `warning: ${gap}\n`), pageOf(top)].join("");
          screen.show([last]);
        } catch (fault) {
          const isPassing = fault instanceof CommandFailure && fault.exitCode === EXIT_CODES.unreachable;
          if (last === "" || signal.aborted || !isPassing) throw fault;
          const why = `: ${fault.message}\nThis was known before:\n\n`;
          screen.show([{ text: "THE SERVER IS AWAY", as: "bad" }, why, last]);
        }
        await delay(EVERY_MS, undefined, { signal });
      }
    });
  } finally {
    screen.close();
  }
}

/** What the figures leave out. */
function gapsOf({ indexed, counted_all: isAll }: Top): readonly string[] {
  return [
    ...(indexed.complete ? [] : ["a log is not indexed to its end: the last calls may be missing"]),
    ...(isAll ? [] : ["too many agents called to count every minute: name a later --since"]),
  ];
}

const HEADINGS = ["AGENT", ...BUSY_HEADINGS, "NAMESPACE", "STOPPED BY"];

function pageOf(top: Top): string {
  const { since, until, callers, agents } = top;
  const span = lengthText(Date.parse(until) - Date.parse(since));
  const who = callers === 0 ? "no agent" : counted(callers, "agent");
  const compared = comparedText(top);
  const head = `${since} to ${until} (${span}): ${who} called${compared === "" ? "" : `; ${compared}`}\n`;
  if (agents.length === 0) return head;
  return `${head}${renderTable(HEADINGS, rowsOf(top), true)}`;
}

function rowsOf(top: Top): readonly (readonly string[])[] {
  return top.agents.map((agent, at) => {
    const stops = top.stopped_by[at]?.join(", ") ?? "?";
    return [agent.agent_id, ...busyCells(agent, top), agent.namespace, stops];
  });
}
