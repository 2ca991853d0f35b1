import type { Condition, Question } from "../condition.ts";
import type { GovernedCall } from "../evaluation.ts";
import { compileQuestion, type QuestionContext } from "./compile-question.ts";
import type { CompiledQuestion } from "./compiled-question.ts";
import type { Doubt } from "./describe-doubt.ts";
import type { TextWork } from "./text-work.ts";
import type { Truth } from "./truth.ts";

/**
 * A doubt: a condition could not be judged. A restricting rule then counts as matched; a permitting one does
 * not, and its doubt only says why.
 */
export type Matched = "yes" | "no" | Doubt;

export type Matcher = (call: GovernedCall, work: TextWork) => Matched;

/** What all rules of one policy share. */
export interface MatchContext extends QuestionContext {
  readonly failClosed: boolean;
  /** Called for each question that is asked; for explanations. */
  readonly observe?: QuestionObserver;
  /** What a session has used is not known: a question about it cannot be judged. */
  readonly isUsageUnknown?: true;
}

export type QuestionObserver = (question: Question, truth: Truth) => void;

/**
 * Every action but `allow` restricts, rewrites included. What cannot be judged counts against the call:
 * a restricting rule then matches, an allowing one does not; a missing field does so only where the
 * condition or the policy says so.
 */
export function compileMatch(match: Condition | null, restricts: boolean, context: MatchContext): Matcher {
  return match === null ? () => "yes" : compileCondition(match, { ...context, restricts, isNegated: false });
}

interface ConditionContext extends MatchContext {
  readonly restricts: boolean;
  /** Whether an odd number of `not` stands around the condition. */
  readonly isNegated: boolean;
}

function compileCondition(condition: Condition, context: ConditionContext): Matcher {
  switch (condition.kind) {
    case "question":
      return compileLeaf(condition, context);
    case "not": {
      const inner = compileCondition(condition.condition, { ...context, isNegated: !context.isNegated });
      return (call, work) => opposite(inner(call, work));
    }
    case "all":
    case "any": {
      const matchers = condition.conditions.map((inner) => compileCondition(inner, context));
      const [only] = matchers;
      if (only !== undefined && matchers.length === 1) return only;
      return condition.kind === "all" ? allOf(matchers) : anyOf(matchers);
    }
  }
}

/** A doubt is one on both sides. */
function opposite(matched: Matched): Matched {
  if (matched === "yes") return "no";
  return matched === "no" ? "yes" : matched;
}

function compileLeaf(asked: Question, context: ConditionContext): Matcher {
  const whenMissing = matchedByMissing(asked, context);
  const judge = compileJudge(asked, context);
  // An observer knows the question by its identity, and a doubt by what it says.
  const question = context.paths.shareIn(asked);
  return (call, work) => {
    const truth = judge(call, work);
    switch (truth) {
      case "holds":
        return "yes";
      case "fails":
        return "no";
      case "missing":
        return whenMissing ?? { question, truth };
      case "unsure":
      case "unread":
        return { question, truth };
    }
  };
}

/** Null: a doubt. Where a missing field is to match nothing, it must not match under `not` either. */
function matchedByMissing(
  { whenMissing }: Question,
  { failClosed, restricts, isNegated }: ConditionContext,
): "yes" | "no" | null {
  const isDoubt = whenMissing === null ? failClosed : whenMissing === "match";
  if (isDoubt || !restricts) return null;
  return isNegated ? "yes" : "no";
}

function compileJudge(question: Question, context: ConditionContext): CompiledQuestion {
  const { observe, isUsageUnknown } = context;
  if (isUsageUnknown === true && question.subject.kind === "usage") return () => "unsure";
  const judge = compileQuestion(question, context);
  if (observe === undefined) return judge;
  return (call, work) => {
    const truth = judge(call, work);
    observe(question, truth);
    return truth;
  };
}

function allOf(matchers: readonly Matcher[]): Matcher {
  return (call, work) => {
    let all: Matched = "yes";
    for (const match of matchers) {
      const matched = match(call, work);
      if (matched === "no") return "no";
      if (all === "yes") all = matched;
    }
    return all;
  };
}

function anyOf(matchers: readonly Matcher[]): Matcher {
  return (call, work) => {
    let any: Matched = "no";
    for (const match of matchers) {
      const matched = match(call, work);
      if (matched === "yes") return "yes";
      if (any === "no") any = matched;
    }
    return any;
  };
}
