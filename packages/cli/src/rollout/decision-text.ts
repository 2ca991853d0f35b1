import type { ReplayGroup, ReplayResult } from "@svc/contract/replay";
import type { Piece } from "../frame/text.ts";
import { changedPercent, type DecisionDiff } from "./diff-decisions.ts";

/** Most groups that are shown, as count. */
const SHOWN_GROUPS = 10;

/** What the candidate would decide otherwise than what runs, by rule, with an example of each. */
export function decisionText(diff: DecisionDiff): Piece[] {
  const { since, result, compared_with_version: running } = diff;
  if (since === null || result === null) return ["decisions no decision was recorded under this policy\n"];
  const lines = [...groupLines(result), ...besideLines(result)];
  return [
    "decisions ",
    { text: countText(diff), as: diff.changed + diff.undecided === 0 ? "good" : "warning" },
    `, since ${since}\n`,
    `          compared with what version ${String(running)}, which runs, decides about these calls now\n`,
    ...lines.map((line) => `          ${line}\n`),
  ];
}

function countText(diff: DecisionDiff): string {
  const { decisions, changed, undecided } = diff;
  const counted = `${String(changed + undecided)} of ${String(decisions)}`;
  const share = percentText(changedPercent(diff));
  if (undecided === 0) return `${counted} would change (${share})`;
  const why = `${String(undecided)} cannot be decided again, because their rows mask values`;
  return `${counted} would or may change (${share}): ${why}`;
}

function groupLines({ groups, groups_left_out: leftOut }: ReplayResult): string[] {
  const shown = groups.slice(0, SHOWN_GROUPS);
  const hidden = groups.length - shown.length + leftOut;
  return [...shown.map(groupText), ...(hidden === 0 ? [] : ["and others, which -o json lists"])];
}

function groupText({ change, tool, rule_id: rule, was_rule_id: was, count, examples }: ReplayGroup): string {
  const by = rule === null ? "by no rule" : `by the rule ${rule}`;
  const before = was === null ? "" : `, before by ${was}`;
  const example = examples[0] ?? "none";
  return `${String(count)} ${change.replaceAll("_", " ")} ${by}${before}: ${tool}, such as ${example}`;
}

function besideLines({ would_be: { deny, pause }, rows_removed: removed }: ReplayResult): string[] {
  const enforced = `under enforcement ${String(deny)} would be denied and ${String(pause)} paused`;
  return [
    ...(deny + pause === 0 ? [] : [enforced]),
    ...(removed === 0
      ? []
      : [`${String(removed)} rows of that time are removed, and were not decided again`]),
  ];
}

/** With two digits that count, so that a small share is not shown as none. */
export function percentText(percent: number): string {
  return `${String(Number(percent.toPrecision(2)))}%`;
}
