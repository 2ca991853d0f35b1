import { ocsfEvent } from "@svc/audit-log/ocsf-event";
import { parseRowText } from "@svc/audit-log/parse-row-text";
import type { AuditRowAnswer, RowMembers } from "@svc/contract/audit-answer";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Result } from "../frame/output.ts";
import { oneLine } from "../frame/tables.ts";
import type { Emphasis, Piece } from "../frame/text.ts";

/** A row as `audit tail` and `audit show` write it. */
export function rowResult(row: AuditRowAnswer, isTerminal: boolean): Result {
  return { text: rowLine(row, isTerminal), schema: "svc.cli.audit-row/v1", json: row };
}

/** A row as an event of the Open Cybersecurity Schema Framework. @throws CommandFailure */
export function ocsfResult({ id, log_id: logId, seq, row }: AuditRowAnswer): Result {
  const reading = parseRowText(JSON.stringify(row));
  const event = reading.kind === "row" ? ocsfEvent({ logId, seq, row: reading.row }) : null;
  if (event === null) throw new CommandFailure("unreachable", `row ${id} has no form as an OCSF event`);
  return { text: "", schema: null, json: event };
}

/** One line: columns at a terminal, else the same in nine cells with tabs, the arguments last. */
function rowLine({ id, time, kind, outcome, row }: AuditRowAnswer, isTerminal: boolean): Piece[] {
  const what = whatOf(row) + (outcome?.withdrawn === true ? " (withdrawn: the caller was denied)" : "");
  const [agent, session, tool] = [textOf(row, "agent_id"), textOf(row, "session_id"), toolOf(row)];
  const reason = textOf(row, "reason", "why", "explanation");
  const args = argumentsText(row["args"]);
  if (!isTerminal)
    return [`${[time, id, kind, what, agent, session, tool, reason, args].map(oneLine).join("\t")}\n`];
  const who = [agent, session].filter((part) => part !== "").join("/");
  const rule = textOf(row, "rule_id");
  const by = rule === "" ? "" : `[${rule}]`;
  const rest = [kind === "decision" ? "" : kind, who, tool, args, reason, by, id].filter(
    (part) => part !== "",
  );
  return [
    `${oneLine(time)}  `,
    { text: oneLine(what).padEnd(WHAT_WIDTH), as: EMPHASES[what] ?? "strong" },
    `  ${rest.map(oneLine).join("  ")}\n`,
  ];
}

/** Characters of `allow` and `pause`. */
const WHAT_WIDTH = 5;

const EMPHASES: Readonly<Record<string, Emphasis>> = { allow: "good", deny: "bad", pause: "warning" };

/** What a row records, in a word. */
function whatOf(row: RowMembers): string {
  if (row["kind"] === "severity") return `${textOf(row, "previous_severity")} to ${textOf(row, "severity")}`;
  return textOf(row, "decision", "action", "status", "anomaly");
}

function toolOf(row: RowMembers): string {
  if (row["kind"] === "kill_switch") return `${textOf(row, "scope")} ${textOf(row, "target_id")}`.trim();
  return textOf(row, "tool", "policy_id", "decision_id", "key_id");
}

/** The first of the members that is a text; empty when none is. */
export function textOf(row: RowMembers, ...names: readonly string[]): string {
  const found = names.map((name) => row[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : "";
}

/** Characters of arguments on one line: more would push the reason off the screen. */
const MAX_LENGTH = 120;

/** The arguments of a call on one line, as the log has them, cut where they are long. Empty: it has none. */
export function argumentsText(args: unknown): string {
  if (typeof args !== "object" || args === null || Object.keys(args).length === 0) return "";
  const text = JSON.stringify(args);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 3)}...`;
}
