import type { JsonValue } from "@svc/contract/json-value";
import type { ExplainedCondition, ExplainedRule } from "@svc/contract/policy-explanation";
import { formatUsd } from "@svc/contract/usd";
import { describeCause, describeDoubt } from "../evaluate/describe-doubt.ts";
import type { GovernedCall } from "../evaluation.ts";
import { matchesGlob } from "../globs/glob.ts";
import type { Condition, Field, RuleBody } from "../policy-document.ts";
import { cutValue } from "./cut-value.ts";
import type { MaskedView } from "./masked-view.ts";
import type { Recorder, RuleVisit } from "./recorder.ts";

interface Evidence {
  readonly recorder: Recorder;
  readonly view: MaskedView;
  /** Whether the row of a recorded call masks what a condition reads. */
  readonly isMasked: (field: Field) => boolean;
}

/** What became of a rule in the evaluation that was recorded last. */
export function explainRule(rule: RuleBody, call: GovernedCall, evidence: Evidence): ExplainedRule {
  const visit = evidence.recorder.visit(rule);
  const { id, priority, tool, action } = rule;
  const conditions =
    visit === null
      ? []
      : rule.match.conditions.map((condition) => explainCondition(condition, visit, evidence));
  const outcome = outcomeOf(rule, visit, call.tool);
  const why = whyOf(rule, { visit, outcome, conditions, tool: call.tool });
  return { id, priority, action: action.kind, tool, outcome, why, conditions };
}

function outcomeOf(rule: RuleBody, visit: RuleVisit | null, tool: string): ExplainedRule["outcome"] {
  if (visit === null) return matchesGlob(rule.tool, tool) ? "not_reached" : "other_tool";
  if (visit.matched === "no") return "not_matched";
  if (visit.matched === "yes") return "matched";
  return rule.action.kind === "allow" ? "not_judged" : "counts_as_matched";
}

interface Found {
  readonly visit: RuleVisit | null;
  readonly outcome: ExplainedRule["outcome"];
  readonly conditions: readonly ExplainedCondition[];
  readonly tool: string;
}

/** A sentence without any value of the arguments. */
function whyOf(rule: RuleBody, { visit, outcome, conditions, tool }: Found): string {
  if (visit === null) {
    return outcome === "other_tool"
      ? `the rule is about the tool ${rule.tool}, and not about ${tool}`
      : "the evaluation ended before this rule";
  }
  const { matched, call } = visit;
  if (matched === "no") return whyNot(rule, conditions);
  const effect = effectOf(visit);
  if (matched === "yes")
    return `${conditions.length === 0 ? "the tool matches" : "its conditions hold"}${effect}`;
  return rule.action.kind === "allow"
    ? `${describeCause(matched, call)}, so the rule does not allow the call`
    : `${describeDoubt(matched, call)} counts as a match for a ${rule.action.kind} rule${effect}`;
}

function whyNot({ match }: RuleBody, conditions: readonly ExplainedCondition[]): string {
  if (match.quantifier === "any" && conditions.length > 1) return "none of its conditions holds";
  const failed = conditions.find(({ truth }) => truth === "fails" || truth === "missing");
  if (failed === undefined) return "its conditions do not hold";
  if (failed.truth === "missing") return `${failed.field} is missing, and the policy does not fail closed`;
  return `the condition on ${failed.field} (${failed.operator}) does not hold`;
}

function effectOf({ rewritten, call }: RuleVisit): string {
  if (rewritten === null) return "";
  if (rewritten.kind === "impossible") return `; the rule cannot be applied: ${rewritten.because}`;
  return rewritten.args === call.args ? "; it changes nothing" : "; it rewrites the arguments";
}

function explainCondition(
  condition: Condition,
  { call }: RuleVisit,
  { recorder, view, isMasked }: Evidence,
): ExplainedCondition {
  const { field, test } = condition;
  const truth = recorder.truth(condition);
  const expected = expectedOf(condition);
  const told = {
    field: nameOf(field),
    operator: test.operator,
    ...(expected === undefined ? {} : { expected: cutValue(expected) }),
  };
  if (truth === null) return { ...told, truth: "not_judged" };
  const found = view.valueOf(field, call);
  const masked = isMasked(field) ? ({ masked: true } as const) : {};
  return { ...told, truth, ...(found === undefined ? {} : { found }), ...masked };
}

function nameOf(field: Field): string {
  return field.kind === "args" ? field.path.text : field.name;
}

function expectedOf({ field, test }: Condition): JsonValue | undefined {
  const isMoney = field.kind === "usage" && field.name === "session.cost_usd";
  switch (test.operator) {
    case ">":
    case ">=":
    case "<":
    case "<=":
    case "==":
    case "!=":
    case "contains":
    case "starts_with":
    case "ends_with":
      return isMoney && typeof test.value === "number" ? formatUsd(test.value) : test.value;
    case "in":
    case "not_in":
      return isMoney
        ? test.values.map((value) => (typeof value === "number" ? formatUsd(value) : value))
        : test.values;
    case "matches":
      return test.pattern;
    case "detects":
      return test.detectors;
    case "path_within":
      return test.bases.map(({ absolute, segments }) => `${absolute ? "/" : ""}${segments.join("/")}`);
    case "exists":
    case "not_exists":
      return undefined;
  }
}
