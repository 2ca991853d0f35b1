import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { PolicyReportAnswer, PolicyReportGroup } from "@svc/contract/policy-report";
import { type Command, Option } from "commander";
import type { ControlClient } from "../connection/control-client.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { counted } from "../frame/counted.ts";
import type { OutputOptions } from "../frame/output.ts";
import { parseDuration } from "../frame/parse-options.ts";
import type { Piece } from "../frame/text.ts";

export interface StatusOptions extends ServerOptions, OutputOptions {
  /** In seconds. */
  readonly since: number;
}

/** Seconds of a day. */
const DEFAULT_SINCE_S = 86_400;

/** Adds over which time decisions are counted. */
export function withSince(command: Command): Command {
  return command.addOption(
    new Option("--since <duration>", "count the decisions of this time, at most 92d")
      .argParser(parseDuration)
      .default(DEFAULT_SINCE_S, "24h"),
  );
}

/** What a policy decided in the last time. @throws CommandFailure */
export async function reportSince(
  client: Pick<ControlClient, "ask">,
  id: string,
  { since }: Pick<StatusOptions, "since">,
): Promise<PolicyReportAnswer> {
  const from = new Date(Date.now() - since * 1_000).toISOString();
  const params = { policy_id: id };
  return (await client.ask(auditQueryRoutes.getPolicyReport, { params, query: { since: from } })).body;
}

/** Most groups that are shown, as count. */
const SHOWN_GROUPS = 10;

/** What enforcement would have answered, by rule, with an example of each. */
export function reportText(report: PolicyReportAnswer): Piece[] {
  const {
    since,
    decisions,
    newly_denied: denied,
    newly_paused: paused,
    would_change: groups,
    indexed,
  } = report;
  const decided = `decided   ${counted(decisions, "call")} since ${since}${ofWhom(report)}\n`;
  if (decisions === 0) return [decided, ...behind(indexed.complete)];
  const hidden = groups.length - SHOWN_GROUPS;
  return [
    decided,
    ...answeredText(report),
    "enforced  ",
    {
      text: `enforcement would also have denied ${String(denied)} and paused ${String(paused)} that passed\n`,
      as: denied + paused === 0 ? "good" : "warning",
    },
    ...groups.slice(0, SHOWN_GROUPS).map((group) => `          ${groupText(group)}\n`),
    ...(hidden > 0 ? [`          and ${String(hidden)} others, which -o json lists\n`] : []),
    ...behind(indexed.complete),
  ];
}

/** What callers got. */
function answeredText({ deny, pause }: PolicyReportAnswer): Piece[] {
  return [`answered  ${String(deny)} of them were denied and ${String(pause)} paused\n`];
}

function ofWhom({ agents, sessions }: PolicyReportAnswer): string {
  return agents === null || sessions === null
    ? ""
    : `, of ${counted(agents, "agent")} in ${counted(sessions, "session")}`;
}

function groupText({ tool, would_be, would_be_rule_id: rule, count, examples }: PolicyReportGroup): string {
  const done = would_be === "pause" ? "paused" : "denied";
  const by = rule === null ? "by no rule" : `by the rule ${rule}`;
  return `${String(count)} ${done} ${by}: ${tool ?? "no tool"}, such as ${examples[0] ?? "none"}`;
}

function behind(isComplete: boolean): Piece[] {
  if (isComplete) return [];
  return [
    { text: "note", as: "warning" },
    "      a log is not indexed to its end: the latest decisions are not counted\n",
  ];
}
