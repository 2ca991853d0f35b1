import type { JsonObject } from "@svc/contract/json-value";
import { GlobIndex } from "../globs/glob-index.ts";
import type { GovernedCall } from "../evaluation.ts";
import type { Match, PolicyDocument, Rule } from "../policy-document.ts";
import { type CompiledCondition, compileCondition, type Truth } from "./condition.ts";
import { compileConstraint, compileRedaction, type Rewrite } from "./rewrite.ts";

/** What the rules say of a call. */
export type RuleOutcome =
  /**
   * No rule ended the walk; `args` holds what rewrites made of the arguments, the same object when nothing.
   */
  | { readonly kind: "passed"; readonly args: JsonObject }
  | { readonly kind: "allow"; readonly args: JsonObject }
  | { readonly kind: "deny" | "require_approval"; readonly ruleId: string }
  | { readonly kind: "impossible"; readonly ruleId: string; readonly because: string };

type CompiledAction =
  | { readonly kind: "deny" | "require_approval" | "allow" }
  | { readonly kind: "rewrite"; readonly rewrite: Rewrite };

interface CompiledRule {
  readonly id: string;
  readonly match: (call: GovernedCall) => Matched;
  readonly action: CompiledAction;
}

/** `unsure`: it counts as matched only because a condition could not be judged. */
type Matched = "yes" | "no" | "unsure";

/**
 * Walks the rules whose tool glob matches, by priority, to the first that denies, pauses or allows. A rule
 * sees the arguments as earlier rules rewrote them. An approval that matched for lack of judgement does not
 * end the walk: garbling a field must not hide a later deny behind it.
 */
export function compileRules({ rules, failClosed }: PolicyDocument): (call: GovernedCall) => RuleOutcome {
  const index = new GlobIndex(rules.map(({ tool }) => tool));
  const compiled = rules.map((rule) => compileRule(rule, failClosed));
  return (call) => {
    let seen = call;
    let approval: RuleOutcome | null = null;
    for (const ordinal of index.matches(call.tool)) {
      const rule = compiled[ordinal];
      if (rule === undefined) throw new Error("the rule index names a rule that is not there");
      const matched = rule.match(seen);
      if (matched === "no") continue;
      const { action, id: ruleId } = rule;
      if (action.kind === "rewrite") {
        const rewritten = action.rewrite(seen.args);
        if (rewritten.kind === "impossible") return { ...rewritten, ruleId };
        if (rewritten.args !== seen.args) seen = { ...seen, args: rewritten.args };
      } else if (action.kind === "deny") {
        return { kind: "deny", ruleId };
      } else if (action.kind === "allow") {
        return approval ?? { kind: "allow", args: seen.args };
      } else {
        approval ??= { kind: "require_approval", ruleId };
        if (matched === "yes") return approval;
      }
    }
    return approval ?? { kind: "passed", args: seen.args };
  };
}

function compileRule({ id, match, action }: Rule, failClosed: boolean): CompiledRule {
  return {
    id,
    match: compileMatch(match, action.kind !== "allow", failClosed),
    action: compileAction(action),
  };
}

function compileAction(action: Rule["action"]): CompiledAction {
  switch (action.kind) {
    case "deny":
    case "require_approval":
    case "allow":
      return { kind: action.kind };
    case "redact":
      return { kind: "rewrite", rewrite: compileRedaction(action) };
    case "constrain":
      return { kind: "rewrite", rewrite: compileConstraint(action) };
  }
}

/**
 * Every action but `allow` restricts, rewrites included. What cannot be judged counts against the call: a
 * restricting rule then matches, an allowing one does not; a missing field does so only where the policy
 * fails closed.
 */
function compileMatch(
  match: Match,
  restricts: boolean,
  failClosed: boolean,
): (call: GovernedCall) => Matched {
  const matchedBy: MatchedBy = {
    holds: "yes",
    fails: "no",
    unsure: restricts ? "unsure" : "no",
    missing: restricts && failClosed ? "unsure" : "no",
  };
  const conditions = match.conditions.map(compileCondition);
  const [only] = conditions;
  if (only === undefined) return () => "yes";
  if (conditions.length === 1) return (call) => matchedBy[only(call)];
  return match.quantifier === "all" ? allOf(conditions, matchedBy) : anyOf(conditions, matchedBy);
}

type MatchedBy = { readonly [truth in Truth]: Matched };

function allOf(
  conditions: readonly CompiledCondition[],
  matchedBy: MatchedBy,
): (call: GovernedCall) => Matched {
  return (call) => {
    let all: Matched = "yes";
    for (const condition of conditions) {
      const matched = matchedBy[condition(call)];
      if (matched === "no") return "no";
      if (matched === "unsure") all = "unsure";
    }
    return all;
  };
}

function anyOf(
  conditions: readonly CompiledCondition[],
  matchedBy: MatchedBy,
): (call: GovernedCall) => Matched {
  return (call) => {
    let any: Matched = "no";
    for (const condition of conditions) {
      const matched = matchedBy[condition(call)];
      if (matched === "yes") return "yes";
      if (matched === "unsure") any = "unsure";
    }
    return any;
  };
}
