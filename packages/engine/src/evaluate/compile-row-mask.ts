import type { JsonObject } from "@svc/text/json-value";
import type { GovernedCall } from "../evaluation.ts";
import { RuleIndex } from "../globs/rule-index.ts";
import type { Redaction, RuleBody } from "../policy-document.ts";
import { compileMatch, type MatchContext, type Matcher } from "./compile-match.ts";
import { MatchingChange } from "./matching-change.ts";
import type { PatternSet } from "./pattern-set.ts";
import { compileReplacement, compileRewrite, type Rewrite } from "./rewrite.ts";
import { TextWork } from "./text-work.ts";

/** The arguments of a call as its audit row may keep them; the same object when nothing is masked. */
export type RowMask = (call: GovernedCall) => JsonObject;

/** Stands for arguments that could not be masked with the work of one call: what is in them is unknown. */
const UNSEARCHED: JsonObject = Object.freeze({
  "[masked]": "the arguments are too long to be searched for what the policy redacts",
});

/** A rule that rewrites arguments, as far as the audit row is concerned. */
export interface MaskingRule {
  readonly tools: readonly string[];
  readonly match: Matcher;
  readonly rewrite: Rewrite;
  /** Null: the row keeps what the rule rewrites. */
  readonly mask: Rewrite | null;
}

/**
 * What `redact` rules hide from a tool is masked in the audit row as well, unless a rule says `audit: keep`.
 * Every such rule that matches the call masks, in every mode and whatever was decided: also one that the
 * evaluation did not reach. Null when no rule of the policy masks.
 */
export function compileRowMask(rewriting: readonly MaskingRule[]): RowMask | null {
  if (rewriting.every(({ mask }) => mask === null)) return null;
  const index = new RuleIndex(rewriting.map(({ tools }) => tools));
  return (call) => {
    const work = new TextWork();
    let seen = call;
    let masked = call.args;
    for (const ordinal of index.matches(call.tool)) {
      const rule = rewriting[ordinal];
      if (rule === undefined) throw new Error("the rule index names a rule that is not there");
      if (rule.match(seen, work) === "no") continue;
      const step = rule.mask === null ? null : rule.mask(masked, work);
      if (step?.kind === "impossible") return UNSEARCHED;
      masked = step?.args ?? masked;
      // Conditions of later rules see what this one made of the arguments, as in the evaluation.
      const rewritten = rule.rewrite(seen.args, work);
      if (rewritten.kind === "rewritten") seen = { ...seen, args: rewritten.args };
    }
    return masked;
  };
}

/** Null for a rule that rewrites nothing. */
export function compileMaskingRule(
  { id, tools, match, action }: RuleBody,
  context: MatchContext,
): MaskingRule | null {
  if (action.kind !== "redact" && action.kind !== "constrain") return null;
  return {
    tools,
    // What a session has used is not read for a row: a question about it counts against the call.
    match: compileMatch(match, true, { ...context, isUsageUnknown: true }),
    rewrite: compileRewrite(action, context.patterns),
    mask:
      action.kind === "redact" && action.audit === "mask" ? compileMask(action, id, context.patterns) : null,
  };
}

/** Unlike the rewrite, it also masks what stands in the way of a path: the secret may be in there. */
function compileMask({ target }: Redaction, ruleId: string, patterns: PatternSet): Rewrite {
  const marker = `[masked:rule:${ruleId}]`;
  if (target.kind === "detectors") return compileReplacement(target.names, () => marker, patterns);
  const changes = target.paths.map((path) => new MatchingChange(path, () => marker, "change"));
  return (args, work) => {
    let current = args;
    for (const change of changes) {
      const changed = change.apply(current, work);
      if (typeof changed === "symbol") return { kind: "impossible", because: "not all values were visited" };
      current = changed;
    }
    return { kind: "rewritten", args: current };
  };
}
