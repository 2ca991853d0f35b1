import type { GovernedCall } from "../evaluation.ts";
import type { Condition, Match } from "../policy-document.ts";
import { type CompiledCondition, compileCondition, type Truth } from "./condition.ts";
import type { Doubt } from "./describe-doubt.ts";
import type { PatternSet } from "./pattern-set.ts";
import type { TextWork } from "./text-work.ts";

/**
 * A doubt: a condition could not be judged. A restricting rule then counts as matched; a permitting one does
 * not, and its doubt only says why.
 */
export type Matched = "yes" | "no" | Doubt;

export type Matcher = (call: GovernedCall, work: TextWork) => Matched;

/** What all rules of one policy share. */
export interface MatchContext {
  readonly failClosed: boolean;
  readonly patterns: PatternSet;
  /** Called for each condition that is judged; for explanations. */
  readonly observe?: ConditionObserver;
}

export type ConditionObserver = (condition: Condition, truth: Truth) => void;

/**
 * Every action but `allow` restricts, rewrites included. What cannot be judged counts against the call:
 * a restricting rule then matches, an allowing one does not; a missing field does so only where the
 * policy fails closed.
 */
export function compileMatch(
  { conditions, quantifier }: Match,
  restricts: boolean,
  { failClosed, patterns, observe }: MatchContext,
): Matcher {
  const questions = conditions.map((condition): Question => {
    const doubt = (truth: Doubt["truth"]): Matched => ({ condition, truth });
    const matchedBy = {
      holds: "yes",
      fails: "no",
      unsure: doubt("unsure"),
      unread: doubt("unread"),
      missing: failClosed || !restricts ? doubt("missing") : "no",
    } as const;
    const judge = compileCondition(condition, patterns);
    return { judge: observe === undefined ? judge : observed(judge, condition, observe), matchedBy };
  });
  const [only] = questions;
  if (only === undefined) return () => "yes";
  if (questions.length === 1) return (call, work) => only.matchedBy[only.judge(call, work)];
  return quantifier === "all" ? allOf(questions) : anyOf(questions);
}

function observed(judge: CompiledCondition, condition: Condition, observe: ConditionObserver) {
  return (call: GovernedCall, work: TextWork): Truth => {
    const truth = judge(call, work);
    observe(condition, truth);
    return truth;
  };
}

interface Question {
  readonly judge: CompiledCondition;
  readonly matchedBy: { readonly [truth in Truth]: Matched };
}

function allOf(questions: readonly Question[]): Matcher {
  return (call, work) => {
    let all: Matched = "yes";
    for (const { judge, matchedBy } of questions) {
      const matched = matchedBy[judge(call, work)];
      if (matched === "no") return "no";
      if (all === "yes") all = matched;
    }
    return all;
  };
}

function anyOf(questions: readonly Question[]): Matcher {
  return (call, work) => {
    let any: Matched = "no";
    for (const { judge, matchedBy } of questions) {
      const matched = matchedBy[judge(call, work)];
      if (matched === "yes") return "yes";
      if (any === "no") any = matched;
    }
    return any;
  };
}
