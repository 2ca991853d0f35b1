import type { ExplainedCondition, ExplainedRule } from "@svc/contract/policy-explanation";
import { type Condition, type Question, questionsOf, type Subject } from "@svc/engine/condition";
import { describeCause, describeDoubt } from "@svc/engine/describe-doubt";
import type { GovernedCall } from "@svc/engine/evaluation";
import { matchesGlob } from "@svc/engine/glob";
import { listsText } from "@svc/engine/lists-text";
import { nameOfSubject } from "@svc/engine/name-of-subject";
import { operatorNamed } from "@svc/engine/operator-table";
import type { RuleBody } from "@svc/engine/policy-document";
import type { JsonValue } from "@svc/text/json-value";
import { formatUsd } from "@svc/text/usd";
import { cutValue } from "./cut-value.ts";
import type { MaskedView } from "./masked-view.ts";
import type { Recorder, RuleVisit } from "./recorder.ts";

interface Evidence {
  readonly recorder: Recorder;
  readonly view: MaskedView;
  /** Whether the row of a recorded call masks what a condition reads. */
  readonly isMasked: (subject: Subject) => boolean;
}

/** What became of a rule in the evaluation that was recorded last. */
export function explainRule(rule: RuleBody, call: GovernedCall, evidence: Evidence): ExplainedRule {
  const visit = evidence.recorder.visit(rule);
  const { id, priority, action } = rule;
  const tool = rule.tools.join(", ");
  const conditions =
    visit === null
      ? []
      : questionsOf(rule.match).map((question) => explainQuestion(question, visit, evidence));
  const outcome = outcomeOf(rule, visit, call.tool);
  const before = evidence.recorder.answerBefore(rule);
  const why = whyOf(rule, { visit, outcome, conditions, tool: call.tool, before });
  return { id, priority, action: action.kind, tool, outcome, why, conditions };
}

function outcomeOf(rule: RuleBody, visit: RuleVisit | null, tool: string): ExplainedRule["outcome"] {
  if (visit === null)
    return rule.tools.some((glob) => matchesGlob(glob, tool)) ? "not_reached" : "other_tool";
  if (visit.matched === "no") return "not_matched";
  if (visit.matched === "yes") return "matched";
  return rule.action.kind === "allow" ? "not_judged" : "counts_as_matched";
}

interface Found {
  readonly visit: RuleVisit | null;
  readonly outcome: ExplainedRule["outcome"];
  readonly conditions: readonly ExplainedCondition[];
  readonly tool: string;
  /** The rule that left this one nothing to answer. */
  readonly before: RuleBody | null;
}

/** A sentence without any value of the arguments. */
function whyOf(rule: RuleBody, { visit, outcome, conditions, tool, before }: Found): string {
  if (visit === null) {
    return outcome === "other_tool"
      ? `the rule is about the tool ${rule.tools.join(", ")}, and not about ${tool}`
      : whyNotReached(before);
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

function whyNotReached(before: RuleBody | null): string {
  switch (before?.action.kind) {
    case "allow":
      return `${before.id} allows the call, so later deny, require_approval and allow rules have no effect`;
    case "require_approval":
      return (
        `${before.id} requires approval, so later allow rules have no effect, and later require_approval ` +
        "rules only if they name another workflow"
      );
    default:
      return "the evaluation ended before this rule";
  }
}

function whyNot({ match }: RuleBody, conditions: readonly ExplainedCondition[]): string {
  if (match === null || !isPlain(match)) return "its conditions do not hold together";
  if (match.kind === "any" && conditions.length > 1) return "none of its conditions holds";
  const failed = conditions.find(({ truth }) => truth === "fails" || truth === "missing");
  if (failed === undefined) return "its conditions do not hold";
  if (failed.truth === "missing") return `${failed.field} is missing, and the policy does not fail closed`;
  const lists = failed.lists === undefined ? "" : ` ${listsText(failed.lists)}`;
  return `the condition on ${failed.field} (${failed.operator}${lists}) does not hold`;
}

function effectOf({ rewritten, call }: RuleVisit): string {
  if (rewritten === null) return "";
  if (rewritten.kind === "impossible") return `; the rule cannot be applied: ${rewritten.because}`;
  return rewritten.args === call.args ? "; it changes nothing" : "; it rewrites the arguments";
}

/** Whether the conditions stand in one list, or alone. */
function isPlain(condition: Condition): boolean {
  if (condition.kind === "question") return true;
  return condition.kind !== "not" && condition.conditions.every(({ kind }) => kind === "question");
}

function explainQuestion(
  question: Question,
  { call }: RuleVisit,
  { recorder, view, isMasked }: Evidence,
): ExplainedCondition {
  const { subject, test } = question;
  const truth = recorder.truth(question);
  const expected = expectedOf(question);
  const told = {
    field: nameOfSubject(subject),
    operator: subject.kind === "elements" ? `${subject.quantifier} ${test.operator}` : test.operator,
    ...(expected === undefined ? {} : { expected: cutValue(expected) }),
    ...(test.lists.length === 0 ? {} : { lists: test.lists }),
  };
  if (truth === null) return { ...told, truth: "not_judged" };
  const found = view.valueOf(subject, call);
  const masked =
    isMasked(subject) || (test.against !== null && isMasked(test.against)) ? ({ masked: true } as const) : {};
  const read = view.readingOf(question, call);
  return {
    ...told,
    truth,
    ...(found === undefined ? {} : { found }),
    ...(read === undefined ? {} : { read }),
    ...masked,
  };
}

function expectedOf({ subject, test: { operator, operand, against } }: Question): JsonValue | undefined {
  const { show, beside } = operatorNamed(operator);
  const shown = operand === null ? undefined : show?.(operand);
  if (against !== null) {
    const name = nameOfSubject(against);
    return shown === undefined || beside === undefined ? name : { value: shown, [beside.key]: name };
  }
  const isMoney = subject.kind === "usage" && subject.name === "session.cost_usd";
  return isMoney && shown !== undefined ? asUsd(shown) : shown;
}

function asUsd(shown: JsonValue): JsonValue {
  if (Array.isArray(shown)) return (shown as readonly JsonValue[]).map(asUsd);
  return typeof shown === "number" ? formatUsd(shown) : shown;
}
