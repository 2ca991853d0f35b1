import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { argumentsText } from "../audit/render-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Stretch } from "../frame/parse-options.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

type Activity = JsonAnswerOf<typeof agentActivityRoutes.getAgentActivity>["body"];
type Group = Activity["tools"][number] | Activity["sessions"][number];

export interface ActivityOptions extends ServerOptions, OutputOptions {
  readonly since?: string;
  readonly between?: Stretch;
}

/** Shows what one agent did. @throws CommandFailure */
export async function showActivity(
  id: string,
  options: ActivityOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { since, between } = options;
  if (since !== undefined && between !== undefined)
    throw new CommandFailure("usage", "expected --since or --between, found both");
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const query = { since: between?.since ?? since, until: between?.until };
  const { body } = await client.ask(agentActivityRoutes.getAgentActivity, {
    params: { agent_id: id },
    query,
  });
  for (const gap of gapsOf(body)) output.warn(gap);
  const text = textOf(body, output.isTerminal);
  output.result({ text, schema: "svc.cli.agent-activity/v1", json: body });
  return "ok";
}

/** What the figures leave out. */
function gapsOf(activity: Activity): readonly string[] {
  const { deny, pause, allow, read_calls: read, indexed } = activity;
  const calls = deny + pause + allow;
  return [
    ...(indexed.complete ? [] : ["a log is not indexed to its end: the last calls may be missing"]),
    ...(activity.counted_all
      ? []
      : [`only the newest ${String(calls)} calls are counted: name a shorter time`]),
    ...(read < calls ? [`sums and samples are of the newest ${String(read)} calls`] : []),
    ...(activity.arguments_left_out === 0
      ? []
      : [`${String(activity.arguments_left_out)} numbers in arguments are not in a sum: there are too many`]),
  ];
}

/** Tables with headings at a terminal; lines that begin with the name of their table elsewhere. */
function textOf(activity: Activity, isTerminal: boolean): string {
  const tables = tablesOf(activity);
  if (!isTerminal)
    return tables
      .map(({ name, rows }) =>
        renderTable(
          [],
          rows.map((row) => [name, ...row]),
          false,
        ),
      )
      .join("");
  const { agent_id: id, since, until, deny, pause, allow, withdrawn, first_at: first } = activity;
  const head = `${id}, ${since} to ${until}\n`;
  if (first === null) return `${head}It did not call.\n`;
  const calls =
    `${String(deny + pause + allow)} calls: ${String(allow)} allowed, ` +
    `${String(deny)} denied, ${String(pause)} paused`;
  const late = withdrawn === 0 ? "" : `; ${String(withdrawn)} of them denied after their row was written`;
  const shown = tables.filter(({ rows }) => rows.length > 0);
  return [
    `${head}${calls}${late}, from ${first} to ${activity.last_at ?? ""}\n`,
    ...shown.map(({ headings, rows, more }) => `${renderTable(headings, rows, true)}${more}`),
  ].join("\n");
}

interface Table {
  readonly name: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** A line below, about what is not shown. */
  readonly more: string;
}

const COUNTS = ["ALLOWED", "DENIED", "PAUSED", "FIRST", "LAST"];

function tablesOf(activity: Activity): readonly Table[] {
  const { tools, sessions, verdicts, samples } = activity;
  return [
    {
      name: "tool",
      headings: ["TOOL", ...COUNTS],
      rows: tools.map((each) => [each.tool, ...countCells(each)]),
      more: moreText(activity.tools_left_out, "other tools"),
    },
    {
      name: "verdict",
      headings: ["VERDICT", "CALLS", "RULE", "FIRST", "LAST", "REASON"],
      rows: verdicts.map((each) => [
        each.would_be === undefined ? each.decision : `${each.decision}, enforced: ${each.would_be}`,
        String(each.calls),
        each.rule_id ?? each.reason_code ?? "",
        each.first_at,
        each.last_at,
        each.reason ?? "",
      ]),
      more: moreText(activity.verdicts_left_out, "other rules"),
    },
    {
      name: "session",
      headings: ["SESSION", ...COUNTS],
      rows: sessions.map((each) => [each.session_id ?? "(none)", ...countCells(each)]),
      more: moreText(activity.sessions_left_out, "other sessions"),
    },
    {
      name: "argument",
      headings: ["ARGUMENT", "OF", "VERDICT", "VALUES", "SUM", "LEAST", "MOST"],
      rows: activity.arguments.map(({ argument, tool, decision, values, sum, min, max }) => [
        argument,
        tool,
        decision,
        ...[values, sum, min, max].map(String),
      ]),
      more: "",
    },
    {
      name: "sample",
      headings: ["NEWEST CALLS", "VERDICT", "TOOL", "ARGUMENTS", "ROW"],
      rows: samples.map(({ time, decision, withdrawn, tool, args, decision_id: row }) => [
        time,
        withdrawn ? `${decision} (withdrawn)` : decision,
        tool,
        argumentsText(args),
        row,
      ]),
      more: "",
    },
  ];
}

function countCells({ allow, deny, pause, first_at: first, last_at: last }: Group): readonly string[] {
  return [String(allow), String(deny), String(pause), first, last];
}

function moreText(calls: number, of: string): string {
  return calls === 0 ? "" : `... and ${String(calls)} calls of ${of}\n`;
}
