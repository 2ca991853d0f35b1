import { setTimeout as delay } from "node:timers/promises";
import { SEVERITIES } from "@svc/contract/severity";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, EXIT_CODES, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { Screen } from "../frame/screen.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { spanText } from "../frame/time-left.ts";
import { untilEnded } from "../frame/until-ended.ts";
import {
  type AgentSelection,
  type AgentView,
  type AgentViews,
  readAgentViews,
  SUPERVISION_HEADINGS,
  standingText,
  stoppedBy,
  supervisionCells,
} from "./agent-views.ts";
import { BUSY_HEADINGS, type BusyColumns, readBusyColumns } from "./busy-agents.ts";

export interface WatchOptions extends ServerOptions, OutputOptions {
  readonly severity?: string;
  readonly status?: string;
  readonly namespace?: string;
  readonly tag?: string;
}

/** Agents that are watched, as pages: the table is read anew every two seconds. */
const MAX_PAGES = 5;

/** Milliseconds between two looks. */
const EVERY_MS = 2_000;

/** Shows agents again and again until a signal ends it. @throws CommandFailure */
export async function watchAgents(options: WatchOptions, terminal: Terminal): Promise<Outcome> {
  const { severity, status, namespace, tag, output } = options;
  if (output !== "pretty" && output !== "ndjson")
    throw new CommandFailure("usage", `a watch writes pretty or ndjson, because it goes on; found ${output}`);
  const connection = await resolveConnection(options, terminal);
  const isPicture = output === "pretty" && !options.quiet && Screen.isPossible(terminal);
  const screen = isPicture ? new Screen(terminal, options) : null;
  const show = screen === null ? linesTo(new Output(terminal, options)) : pictureTo(screen);
  try {
    return await untilEnded(terminal, async (signal) => {
      const client = new ControlClient(connection, signal);
      for (let isFirst = true; ; isFirst = false) {
        const selection = { query: { severity, status, namespace, tag }, maxPages: MAX_PAGES };
        show(await look(() => readSeen(client, selection), isFirst, signal));
        await delay(EVERY_MS, undefined, { signal });
      }
    });
  } finally {
    screen?.close();
  }
}

/** What was seen at once. */
interface Seen extends AgentViews {
  readonly busy: BusyColumns;
}

async function readSeen(client: ControlClient, selection: AgentSelection): Promise<Seen> {
  const views = await readAgentViews(client, selection);
  return { ...views, busy: await readBusyColumns(client) };
}

/** What was seen, or why nothing can be seen now. */
type Look = Seen | { readonly away: string };

async function look(read: () => Promise<Seen>, isFirst: boolean, signal: AbortSignal): Promise<Look> {
  try {
    return await read();
  } catch (fault) {
    const isPassing = fault instanceof CommandFailure && fault.exitCode === EXIT_CODES.unreachable;
    if (isFirst || signal.aborted || !isPassing) throw fault;
    return { away: fault.message };
  }
}

/** A table that is replaced in place. While the server is away, the last one stays below the reason. */
function pictureTo(screen: Screen): (seen: Look) => void {
  let last: readonly Piece[] = [];
  let lastMs = 0;
  return (seen) => {
    const nowMs = Date.now();
    const time = `${new Date(nowMs).toISOString()}\n\n`;
    if ("away" in seen) {
      const age = `This was known ${spanText((nowMs - lastMs) / 1_000)} ago:\n\n`;
      screen.show([time, { text: "THE SERVER IS AWAY", as: "bad" }, `: ${seen.away}\n${age}`, ...last]);
      return;
    }
    lastMs = nowMs;
    const { warning } = seen.busy;
    const more = seen.isAll ? "" : "\nThere are more agents than these.\n";
    last = [tableOf(seen, nowMs), more, warning === null ? "" : `\nwarning: ${warning}\n`];
    screen.show([time, ...last]);
  };
}

const HEADINGS = [
  "AGENT",
  "SEVERITY",
  "STATUS",
  "HEARTBEAT",
  ...SUPERVISION_HEADINGS,
  ...BUSY_HEADINGS,
  "NAMESPACE",
];

function tableOf({ agents, busy }: Seen, nowMs: number): string {
  if (agents.length === 0) return "no agents\n";
  const worstFirst = agents.toSorted(
    (left, right) => SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity),
  );
  return renderTable(
    HEADINGS,
    worstFirst.map((agent) => cellsOf(agent, busy, nowMs)),
    true,
  );
}

function cellsOf(agent: AgentView, busy: BusyColumns, nowMs: number): readonly string[] {
  const { last_heartbeat: beat } = agent;
  return [
    agent.id,
    agent.severity,
    standingText(agent),
    beat === null ? "never" : `${spanText((nowMs - Date.parse(beat)) / 1_000)} ago`,
    ...supervisionCells(agent),
    ...busy.cells(agent.id),
    agent.namespace,
  ];
}

/** A line for each agent, and then for each that changed in what people act on. */
function linesTo(output: Output): (seen: Look) => void {
  const known = new Map<string, string>();
  let isAway = false;
  let warned: string | null = null;
  return (seen) => {
    if ("away" in seen) {
      if (!isAway) output.warn(`${seen.away}; trying again`);
      isAway = true;
      return;
    }
    if (isAway) output.note("connected again\n");
    isAway = false;
    const { warning } = seen.busy;
    if (warning !== null && warning !== warned) output.warn(warning);
    warned = warning;
    const time = new Date().toISOString();
    for (const agent of seen.agents) {
      const { id, severity, status, quarantined } = agent;
      const stops = stoppedBy(agent).join(",");
      const state = [severity, status, quarantined ? "in quarantine" : "", stops].join("\t");
      if (known.get(id) === state) continue;
      known.set(id, state);
      const cells = renderTable([], [[time, id, ...state.split("\t"), agent.namespace]], false);
      output.result({
        text: cells,
        schema: "svc.cli.agent-state/v1",
        json: { time, ...agent, activity: seen.busy.of(id) },
      });
    }
    const listed = new Set(seen.agents.map(({ id }) => id));
    for (const id of known.keys()) {
      if (listed.has(id) || !seen.isAll) continue;
      known.delete(id);
      const text = renderTable([], [[time, id, "not selected any more"]], false);
      output.result({ text, schema: "svc.cli.agent-state/v1", json: { time, id, selected: false } });
    }
  };
}
