import type { ExplainedCondition, ExplainedRule, Explanation } from "@svc/contract/policy-explanation";
import { listsText } from "@svc/engine/lists-text";
import { canonicalJson } from "@svc/text/canonical-json";

/** The steps of an evaluation, one a line. Rules about other tools are left out. */
export function renderTrace(explanation: Explanation): string[] {
  const { decided_by, denied, rules, allowed, fail_closed, mode, rego, rego_trace: trace } = explanation;
  const { max_steps: steps, max_usd_per_session: cost } = explanation.ceilings;
  const matched = explanation.kill_switches.matched;
  const limits = [
    steps === null ? null : `session.max_steps: ${steps.limit}, ${usedText(steps.used)}`,
    cost === null ? null : `session.max_usd_per_session: ${cost.limit}, ${usedText(cost.used)}`,
  ];
  return [
    `decided by ${decided_by}${mode === "enforcement" ? "" : `, in mode ${mode}`}`,
    ...(matched === null ? [] : [`kill switch ${matched.kill_switch_id}: ${matched.reason}`]),
    `tools.denied: ${globs(denied)}`,
    ...rules.filter(({ outcome }) => outcome !== "other_tool").flatMap(ruleLines),
    `tools.allowed: ${globs(allowed)}`,
    ...(rego === undefined ? [] : regoLines(rego)),
    ...(trace === undefined ? [] : coverageLines(trace)),
    ...(denied.length + allowed.length === 0 ? [`fail_closed: ${String(fail_closed)}`] : []),
    ...limits.filter((line) => line !== null),
  ];
}

function regoLines(rego: NonNullable<Explanation["rego"]>): string[] {
  if (rego.failed !== null) return [`rego could not be evaluated: ${rego.failed}`];
  const lines = [
    ...rego.deny.map((message) => `rego deny: ${message}`),
    ...rego.require_approval.map((message) => `rego require_approval: ${message}`),
  ];
  return lines.length === 0 ? ["rego has no message"] : lines;
}

/** The trace itself is long, and only in the JSON. */
function coverageLines({ covered, not_covered: missed, percent }: NonNullable<Explanation["rego_trace"]>) {
  if (covered.length + missed.length === 0) return [];
  const ran = covered.length === 0 ? "none of its lines ran" : `lines ${linesText(covered)} ran`;
  const rest = missed.length === 0 ? "" : `, ${linesText(missed)} did not`;
  return [`rego coverage ${String(Math.round(percent))} %: of the module, ${ran}${rest} (trace: -o json)`];
}

function linesText(ranges: NonNullable<Explanation["rego_trace"]>["covered"]): string {
  return ranges
    .map(({ first, last }) => (first === last ? String(first) : `${String(first)}-${String(last)}`))
    .join(", ");
}

function usedText(used: string | number | null): string {
  return used === null ? "and what was used before is not recorded" : `used ${String(used)} before this call`;
}

function globs(matching: readonly string[]): string {
  return matching.length === 0 ? "no glob matches" : `matched by ${matching.join(", ")}`;
}

function ruleLines({ id, action, outcome, why, conditions }: ExplainedRule): string[] {
  return [
    `rule ${id} (${action}) ${outcome.replaceAll("_", " ")}: ${why}`,
    ...conditions.map((condition) => `  ${conditionLine(condition)}`),
  ];
}

function conditionLine({ field, operator, lists, expected, truth, found }: ExplainedCondition): string {
  const wanted = expected === undefined ? "" : ` ${canonicalJson(expected)}`;
  const seen = found === undefined ? "" : `, found ${canonicalJson(found)}`;
  const named = lists === undefined ? "" : ` ${listsText(lists)}`;
  return `${field} ${operator}${named}${wanted}: ${truth.replaceAll("_", " ")}${seen}`;
}
