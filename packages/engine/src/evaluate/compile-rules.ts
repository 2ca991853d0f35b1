import type { JsonObject } from "@svc/contract/json-value";
import { GlobIndex } from "../globs/glob-index.ts";
import type { GovernedCall } from "../evaluation.ts";
import type { Match, PolicyDocument, Rule } from "../policy-document.ts";
import { type CompiledCondition, compileCondition, type Truth } from "./condition.ts";
import { compileConstraint, compileRedaction, type Rewrite } from "./rewrite.ts";

/** What the rules say of a call. */
export type RuleOutcome =
  /** No rule ended the walk; `args` holds what rewrites made of the arguments, the same object when nothing. */
  | { readonly kind: "passed"; readonly args: JsonObject }
  | { readonly kind: "allow"; readonly args: JsonObject }
  | { readonly kind: "deny" | "require_approval"; readonly ruleId: string }
  | { readonly kind: "impossible"; readonly ruleId: string; readonly because: string };

type CompiledAction =
  | { readonly kind: "deny" | "require_approval" | "allow" }
  | { readonly kind: "rewrite"; readonly rewrite: Rewrite };

interface CompiledRule {
  readonly id: string;
  readonly matches: (call: GovernedCall) => boolean;
  readonly action: CompiledAction;
}

/**
 * Walks the rules whose tool glob matches, by priority, to the first that denies, pauses or allows.
 * A rule sees the arguments as earlier rules rewrote them.
 */
export function compileRules({ rules, failClosed }: PolicyDocument): (call: GovernedCall) => RuleOutcome {
  const index = new GlobIndex(rules.map(({ tool }) => tool));
  const compiled = rules.map((rule) => compileRule(rule, failClosed));
  return (call) => {
    let seen = call;
    for (const ordinal of index.matches(call.tool)) {
      const rule = compiled[ordinal];
      if (rule === undefined) throw new Error("the rule index names a rule that is not there");
      if (!rule.matches(seen)) continue;
      const { action, id: ruleId } = rule;
      if (action.kind === "allow") return { kind: "allow", args: seen.args };
      if (action.kind !== "rewrite") return { kind: action.kind, ruleId };
      const rewritten = action.rewrite(seen.args);
      if (rewritten.kind === "impossible") return { ...rewritten, ruleId };
      if (rewritten.args !== seen.args) seen = { ...seen, args: rewritten.args };
    }
    return { kind: "passed", args: seen.args };
  };
}

function compileRule({ id, match, action }: Rule, failClosed: boolean): CompiledRule {
  return {
    id,
    matches: compileMatch(match, action.kind !== "allow", failClosed),
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
 * Every action but `allow` restricts, rewrites included. What cannot be judged counts against the call: a restricting
 * rule then matches, an allowing one does not; a missing field does so only where the policy fails closed.
 */
function compileMatch(
  match: Match,
  restricts: boolean,
  failClosed: boolean,
): (call: GovernedCall) => boolean {
  const counts: { readonly [truth in Truth]: boolean } = {
    holds: true,
    fails: false,
    unsure: restricts,
    missing: restricts && failClosed,
  };
  const conditions = match.conditions.map(compileCondition);
  const [only] = conditions;
  if (only === undefined) return () => true;
  if (conditions.length === 1) return (call) => counts[only(call)];
  return match.quantifier === "all" ? allOf(conditions, counts) : anyOf(conditions, counts);
}

type Counts = { readonly [truth in Truth]: boolean };

function allOf(conditions: readonly CompiledCondition[], counts: Counts): (call: GovernedCall) => boolean {
  return (call) => {
    for (const condition of conditions) if (!counts[condition(call)]) return false;
    return true;
  };
}

function anyOf(conditions: readonly CompiledCondition[], counts: Counts): (call: GovernedCall) => boolean {
  return (call) => {
    for (const condition of conditions) if (counts[condition(call)]) return true;
    return false;
  };
}
