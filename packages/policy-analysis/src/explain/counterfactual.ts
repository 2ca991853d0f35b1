import type { Counterfactual } from "@svc/contract/decision-explanation";
import type { ExplainedRule, Explanation } from "@svc/contract/policy-explanation";
import type { Decision } from "@svc/contract/verdict";
import { type Condition, type Question, questionsOf, type Subject } from "@svc/engine/condition";
import type { GovernedCall } from "@svc/engine/evaluation";
import { BLOCKED } from "@svc/engine/field-path";
import type { RuleBody } from "@svc/engine/policy-document";
import { compileField } from "@svc/engine/read-field";
import { changeAt } from "@svc/engine/set-at";
import { type ArgumentChange, changesOf } from "./changed-argument.ts";
import { memberChange } from "./changed-member.ts";
import type { ExplainedEvaluation, ExplainingPolicy } from "./compile-explaining.ts";
import { cutValue } from "./cut-value.ts";
import { type Masks, maskedReads } from "./masked-reads.ts";

/** Most changed calls that are evaluated for one explanation, as count. Each takes as long as one call. */
const MAX_TRIALS = 64;

const READS_ARGUMENTS: readonly Subject["kind"][] = ["args", "anywhere", "elements"];

/** An evaluation whose decision might have been another one. */
export interface DecidedCall {
  readonly explaining: ExplainingPolicy;
  readonly call: GovernedCall;
  /** What the policy said, before mode and ceilings. */
  readonly decision: Decision;
  readonly explanation: Explanation;
  /** The rule that decided; null where a list did. */
  readonly ruleId: string | null;
  readonly masks: Masks;
}

export type CounterfactualSearch =
  | { readonly kind: "found"; readonly change: Counterfactual }
  | { readonly kind: "none"; readonly because: string };

/**
 * The smallest change of one argument, or else the entry of a tool list, that changes what the policy
 * decides. Every answer was evaluated, and depends on nothing that the row masks.
 */
export function findCounterfactual(decided: DecidedCall): CounterfactualSearch {
  const { explaining, masks } = decided;
  if (explaining.policy.needs.async) return { kind: "none", because: HAS_MODULE };
  const rules = rulesToChange(decided);
  let dependsOnMask = false;
  for (const { explained, changeTo } of trialsOf(decided, rules)) {
    const { decision } = explained.evaluation;
    if (decision === decided.decision) continue;
    const reads = maskedReads(explained.steps.rules, explaining.document.rules, masks);
    if (reads.length === 0) return { kind: "found", change: changeTo(decision) };
    dependsOnMask = true;
  }
  return { kind: "none", because: dependsOnMask ? DEPENDS_ON_MASK : reasonOf(decided, rules) };
}

const HAS_MODULE =
  "rego_unavailable: the policy has a Rego module, which this search does not evaluate for changed calls.";

interface RuleToChange {
  readonly rule: RuleBody;
  /** Whether its conditions are to hold. */
  readonly holds: boolean;
}

/**
 * The rules that decided. Where a list did, those that would have decided otherwise if their conditions had
 * held for the call.
 */
function rulesToChange({ explaining, explanation, decision, ruleId }: DecidedCall): readonly RuleToChange[] {
  const explained = new Map(explanation.rules.map((rule) => [rule.id, rule]));
  const isWanted = (rule: RuleBody): boolean => {
    const found = explained.get(rule.id);
    if (found === undefined) return false;
    if (explanation.decided_by === "rule") return ruleId === null ? hasAllowed(found) : rule.id === ruleId;
    if (found.outcome !== "not_matched" && found.outcome !== "not_judged") return false;
    const isAllow = rule.action.kind === "allow";
    const isRestriction = rule.action.kind === "deny" || rule.action.kind === "require_approval";
    return decision === "allow" ? isRestriction : isAllow && explanation.decided_by === "fail_closed";
  };
  const holds = explanation.decided_by !== "rule";
  return explaining.document.rules.filter(isWanted).map((rule) => ({ rule, holds }));
}

function hasAllowed({ action, outcome }: ExplainedRule): boolean {
  return action === "allow" && outcome === "matched";
}

interface Candidate {
  readonly ruleId: string;
  readonly path: string;
  readonly call: GovernedCall;
  readonly change: ArgumentChange;
}

const DEPENDS_ON_MASK = "What another call would get depends on an argument that the row masks.";

function* trialsOf(decided: DecidedCall, rules: readonly RuleToChange[]): Generator<Trial> {
  yield* argumentTrials(decided, rules);
  yield* listTrials(decided);
}

/** A change, and what the policy says with it. */
interface Trial {
  readonly explained: ExplainedEvaluation;
  readonly changeTo: (decision: Decision) => Counterfactual;
}

function* argumentTrials(decided: DecidedCall, rules: readonly RuleToChange[]): Generator<Trial> {
  const { explaining, masks } = decided;
  const candidates = rules
    .flatMap((rule) => candidatesOf(decided, rule))
    .toSorted((one, other) => one.change.distance - other.change.distance)
    .slice(0, MAX_TRIALS);
  for (const { ruleId, path, call, change } of candidates) {
    // An evaluation costs far less than its explanation.
    if (explaining.policy.evaluate(call).decision === decided.decision) continue;
    const { to, requirement } = change;
    const tried = typeof to === "symbol" ? {} : { tried: cutValue(to) };
    yield {
      explained: explaining.explain(call, masks.isMasked),
      changeTo: (decision) => ({
        kind: "argument",
        rule_id: ruleId,
        field: path,
        requirement,
        ...tried,
        decision,
      }),
    };
  }
}

function candidatesOf(
  { call, masks: { isMasked } }: DecidedCall,
  { rule, holds }: RuleToChange,
): readonly Candidate[] {
  return wantedOf(rule.match, holds).flatMap(({ question, isToHold }) => {
    const { subject, test } = question;
    if (test.operator === "only_names")
      return memberCandidates(call, { question, isToHold }, rule.id, isMasked);
    if (subject.kind !== "args" || test.against !== null || isMasked(subject)) return [];
    const found = compileField(subject)(call);
    return changesOf(test, { path: subject.path.text, found, holds: isToHold }).flatMap((change) => {
      const args = changeAt(call.args, subject.path, () => change.to);
      if (args === BLOCKED) return [];
      return [{ ruleId: rule.id, path: subject.path.text, call: { ...call, args }, change }];
    });
  });
}

function memberCandidates(
  call: GovernedCall,
  { question, isToHold }: WantedQuestion,
  ruleId: string,
  isMasked: Masks["isMasked"],
): readonly Candidate[] {
  const changed = isMasked(question.subject) ? null : memberChange(question, call, isToHold);
  if (changed === null) return [];
  const { path, change } = changed;
  const args = changeAt(call.args, path, () => change.to);
  return args === BLOCKED ? [] : [{ ruleId, path: path.text, call: { ...call, args }, change }];
}

interface WantedQuestion {
  readonly question: Question;
  readonly isToHold: boolean;
}

/** Below `not` a question is to do the opposite. */
function wantedOf(condition: Condition | null, isToHold: boolean): readonly WantedQuestion[] {
  if (condition === null) return [];
  switch (condition.kind) {
    case "question":
      return [{ question: condition, isToHold }];
    case "not":
      return wantedOf(condition.condition, !isToHold);
    case "all":
    case "any":
      return condition.conditions.flatMap((inner) => wantedOf(inner, isToHold));
  }
}

/** The entry that decided, or one that would have. */
function* listTrials(decided: DecidedCall): Generator<Trial> {
  const { explanation, call } = decided;
  const { denied, allowed, decided_by } = explanation;
  const [onlyDenied, moreDenied] = denied;
  if (decided_by === "tools.denied" && onlyDenied !== undefined && moreDenied === undefined)
    yield listTrial(decided, { list: "tools.denied", change: "remove", entry: onlyDenied });
  if (decided_by === "fail_closed" && decided.decision === "deny")
    yield listTrial(decided, { list: "tools.allowed", change: "add", entry: call.tool });
  if (decided.decision !== "allow") return;
  const [onlyAllowed, moreAllowed] = allowed;
  if (decided_by === "tools.allowed" && onlyAllowed !== undefined && moreAllowed === undefined)
    yield listTrial(decided, { list: "tools.allowed", change: "remove", entry: onlyAllowed });
  yield listTrial(decided, { list: "tools.denied", change: "add", entry: call.tool });
}

type ListChange = Pick<Extract<Counterfactual, { kind: "list_entry" }>, "list" | "change" | "entry">;

function listTrial({ explaining, call, masks }: DecidedCall, wanted: ListChange): Trial {
  const { list, change, entry } = wanted;
  const changed = (of: ListChange["list"], globs: readonly string[]): readonly string[] => {
    if (of !== list) return globs;
    return change === "add" ? [...globs, entry] : globs.filter((glob) => glob !== entry);
  };
  const lists = {
    allowed: changed("tools.allowed", explaining.document.allowed),
    denied: changed("tools.denied", explaining.document.denied),
  };
  return {
    explained: explaining.explainWith(lists, call, masks.isMasked),
    changeTo: (decision) => ({ kind: "list_entry", list, change, entry, decision }),
  };
}

function reasonOf({ explanation, masks: { isMasked } }: DecidedCall, rules: readonly RuleToChange[]): string {
  const { decided_by, denied } = explanation;
  if (decided_by === "session") return "The policy needs the session of a call, and this call named none.";
  if (decided_by === "tools.denied" && denied.length > 1)
    return `${String(denied.length)} entries of tools.denied match the tool; removing one changes nothing.`;
  if (decided_by === "tools.denied")
    return "Without the entry of tools.denied the call would still be denied.";
  const conditions = rules.flatMap(({ rule }) => questionsOf(rule.match));
  const [named] = rules;
  const isRewrite = named?.rule.action.kind === "redact" || named?.rule.action.kind === "constrain";
  if (decided_by === "rule" && isRewrite && named !== undefined)
    return `The rule ${named.rule.id} cannot be applied to these arguments, whatever its conditions say.`;
  if (decided_by === "rule" && conditions.length === 0 && named !== undefined)
    return `The rule ${named.rule.id} has no conditions: it decides every call of its tools.`;
  const read = conditions.filter(({ subject }) => READS_ARGUMENTS.includes(subject.kind));
  if (read.length === 0) return "No condition that decided reads an argument.";
  if (read.some(({ subject }) => isMasked(subject)))
    return "A condition that decided reads an argument that the row masks.";
  return "No change of one argument that was tried changes the decision.";
}
