import type { JsonObject } from "@svc/contract/json-value";
import type { GovernedCall } from "../evaluation.ts";
import { RuleIndex } from "../globs/rule-index.ts";
import type { RuleBody } from "../policy-document.ts";
import { compileMatch, type MatchContext, type Matcher } from "./compile-match.ts";
import { type Doubt, describeDoubt } from "./describe-doubt.ts";
import { compileRewrite, type Rewrite } from "./rewrite.ts";
import { TextWork } from "./text-work.ts";

/** What the rules say of a call. */
export type RuleOutcome =
  /**
   * No rule ended the walk; `args` holds what rewrites made of the arguments, the same object when nothing.
   * `nearly` is the first rule that would have allowed the call, had all its conditions been judged.
   */
  | { readonly kind: "passed"; readonly args: JsonObject; readonly nearly: NearAllow | null }
  | { readonly kind: "allow"; readonly args: JsonObject }
  /** `doubt`: why the rule counts as matched where a condition could not be judged; else null. */
  | { readonly kind: "deny"; readonly ruleId: string; readonly doubt: string | null }
  | {
      readonly kind: "require_approval";
      readonly ruleId: string;
      readonly doubt: string | null;
      /** Whether a rule of the same or an earlier priority allows the tool. */
      readonly isAllowed: boolean;
    }
  | { readonly kind: "impossible"; readonly ruleId: string; readonly because: string };

type CompiledAction =
  | { readonly kind: "deny" | "require_approval" | "allow" }
  | { readonly kind: "rewrite"; readonly rewrite: Rewrite };

export interface NearAllow {
  readonly ruleId: string;
  readonly doubt: Doubt;
  /** As the rule saw it. */
  readonly call: GovernedCall;
}

interface Answer {
  readonly ruleId: string;
  readonly doubt: string | null;
}

/** One rule with everything worked out that does not depend on the call. */
export interface CompiledRule {
  readonly id: string;
  /** Globs, of which one is enough. */
  readonly tools: readonly string[];
  readonly priority: number;
  readonly match: Matcher;
  readonly action: CompiledAction;
}

/**
 * Walks the rules whose tool glob matches, in the order given, to the first priority at which one denies,
 * pauses or allows. Rules of one priority answer together: deny wins over require_approval, and that over
 * allow. A rule sees the arguments as earlier rules rewrote them. An approval that matched for lack of
 * judgement does not end the walk: garbling a field must not hide a later deny behind it.
 * @param compiled by priority.
 */
export function compileWalk(compiled: readonly CompiledRule[]): (call: GovernedCall) => RuleOutcome {
  const index = new RuleIndex(compiled.map(({ tools }) => tools));
  return (call) => {
    const work = new TextWork();
    let seen = call;
    let approval: (Answer & { readonly priority: number }) | null = null;
    let isAllowed = false;
    let nearly: NearAllow | null = null;
    let endsAfter: number | null = null;
    for (const ordinal of index.matches(call.tool)) {
      const rule = compiled[ordinal];
      if (rule === undefined) throw new Error("the rule index names a rule that is not there");
      if (endsAfter !== null && rule.priority !== endsAfter) break;
      const matched = rule.match(seen, work);
      if (matched === "no") continue;
      const { action, id: ruleId } = rule;
      if (action.kind === "allow" && matched !== "yes") {
        nearly ??= { ruleId, doubt: matched, call: seen };
        continue;
      }
      if (action.kind === "rewrite") {
        const rewritten = action.rewrite(seen.args, work);
        if (rewritten.kind === "impossible") return { ...rewritten, ruleId };
        if (rewritten.args !== seen.args) seen = { ...seen, args: rewritten.args };
        continue;
      }
      if (action.kind === "deny") return { kind: "deny", ruleId, doubt: doubtOf(matched, seen) };
      if (action.kind === "require_approval") {
        approval ??= { ruleId, doubt: doubtOf(matched, seen), priority: rule.priority };
      } else if (approval === null || approval.priority === rule.priority) isAllowed = true;
      if (matched === "yes") endsAfter = rule.priority;
    }
    if (approval === null) {
      const { args } = seen;
      return isAllowed ? { kind: "allow", args } : { kind: "passed", args, nearly };
    }
    return { kind: "require_approval", ruleId: approval.ruleId, doubt: approval.doubt, isAllowed };
  };
}

function doubtOf(matched: "yes" | Doubt, call: GovernedCall): string | null {
  return matched === "yes" ? null : describeDoubt(matched, call);
}

export function compileRule(
  { id, tools, priority, match, action }: RuleBody,
  context: MatchContext,
): CompiledRule {
  return {
    id,
    tools,
    priority,
    match: compileMatch(match, action.kind !== "allow", context),
    action: compileAction(action),
  };
}

function compileAction(action: RuleBody["action"]): CompiledAction {
  switch (action.kind) {
    case "deny":
    case "require_approval":
    case "allow":
      return { kind: action.kind };
    case "redact":
    case "constrain":
      return { kind: "rewrite", rewrite: compileRewrite(action) };
  }
}
