import type { JsonObject } from "@svc/text/json-value";
import { questionsOf } from "../condition.ts";
import type { GovernedCall } from "../evaluation.ts";
import { RuleIndex } from "../globs/rule-index.ts";
import type { ApprovalReach, RuleBody } from "../policy-document.ts";
import { compileMatch, type MatchContext, type Matcher } from "./compile-match.ts";
import { type Doubt, describeDoubt } from "./describe-doubt.ts";
import type { PatternSet } from "./pattern-set.ts";
import { compileRewrite, type Rewrite } from "./rewrite.ts";
import { TextWork } from "./text-work.ts";

/** What the rules say of a call. */
export type RuleOutcome =
  /**
   * No rule answered; `args` holds what rewrites made of the arguments, the same object when nothing.
   * `nearly` is the first rule that would have allowed the call, had all its conditions been judged.
   */
  | { readonly kind: "passed"; readonly args: JsonObject; readonly nearly: NearAllow | null }
  | { readonly kind: "allow"; readonly args: JsonObject }
  | (Answer & { readonly kind: "deny" })
  | (Answer & {
      readonly kind: "require_approval";
      /** Whether a rule of the same or an earlier priority allows the tool. */
      readonly isAllowed: boolean;
      /** What rewrites made of the arguments. */
      readonly args: JsonObject;
      readonly workflow: string | null;
      /** What its approval may hold for; null: this call alone, in its session. */
      readonly reach: ApprovalReach | null;
    })
  | TwoWorkflows
  | {
      readonly kind: "impossible";
      readonly ruleId: string;
      readonly message: string | null;
      readonly because: string;
    };

/** Two rules ask for the approvals of different workflows. One approval has one workflow. */
interface TwoWorkflows {
  readonly kind: "two_workflows";
  readonly ruleId: string;
  readonly workflow: string;
  readonly other: { readonly ruleId: string; readonly workflow: string };
}

type CompiledAction =
  | { readonly kind: "deny" | "require_approval" | "allow" }
  | { readonly kind: "rewrite"; readonly rewrite: Rewrite };

export interface NearAllow {
  readonly ruleId: string;
  readonly doubt: Doubt;
  /** As the rule saw it. */
  readonly call: GovernedCall;
}

/** What a rule answered that restricts. */
export interface Answer {
  readonly ruleId: string;
  /** What its author wants told. */
  readonly message: string | null;
  /** The lists of the policy that its conditions name. */
  readonly lists: readonly string[];
  /** Why the rule counts as matched where a condition could not be judged; else null. */
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
  readonly message: string | null;
  readonly lists: readonly string[];
  /** The workflow of an approval; null with every other action. */
  readonly workflow: string | null;
  /** What the approvals of the rule may hold for; null with every other action. */
  readonly reach: ApprovalReach | null;
}

/**
 * Walks every rule whose tools match, by priority. A deny ends the walk. An approval makes allow rules of
 * later priorities void, and a later deny still denies. An approval by a workflow wins over one that names
 * none, wherever it stands: who may approve everything would otherwise approve what needs the workflow. Two
 * rules that name different workflows end the walk, because an approval by one of them is none by the other.
 * Where an approval may hold for further calls, every other rule that asks is looked for: the approval then
 * is one of this call alone, because what one rule lets further calls do is not what the other asks about.
 * An allow makes deny and approval rules of later priorities void. A rewrite always applies. Rules of one
 * priority answer together: deny wins over require_approval, and that over allow. A rule sees the arguments
 * as earlier rules rewrote them.
 * @param compiled by priority.
 */
export function compileWalk(compiled: readonly CompiledRule[]): (call: GovernedCall) => RuleOutcome {
  const index = new RuleIndex(compiled.map(({ tools }) => tools));
  const lastRewrite = compiled.findLastIndex(({ action }) => action.kind === "rewrite");
  return (call) => {
    const work = new TextWork();
    let seen = call;
    let approval: Asked | null = null;
    let allowedAt: number | null = null;
    let nearly: NearAllow | null = null;
    for (const ordinal of index.matches(call.tool)) {
      const rule = compiled[ordinal];
      if (rule === undefined) throw new Error("the rule index names a rule that is not there");
      const { action, id: ruleId, priority, message, lists } = rule;
      if (approval !== null) {
        const isLater = approval.priority < priority && isVoid(action.kind, "require_approval");
        if (isLater && !asksOtherwise(rule, approval) && !endsReach(rule, approval)) continue;
      } else if (allowedAt !== null && allowedAt < priority) {
        if (ordinal > lastRewrite) break;
        if (isVoid(action.kind, "allow")) continue;
      }
      const matched = rule.match(seen, work);
      if (matched === "no") continue;
      if (action.kind === "rewrite") {
        const rewritten = action.rewrite(seen.args, work);
        if (rewritten.kind === "impossible") return { ...rewritten, ruleId, message };
        if (rewritten.args !== seen.args) seen = { ...seen, args: rewritten.args };
      } else if (action.kind === "deny")
        return { kind: "deny", ruleId, message, lists, doubt: doubtOf(matched, seen) };
      else if (action.kind === "require_approval") {
        const asked: Asked | TwoWorkflows = askAlso(approval, rule, doubtOf(matched, seen));
        if ("kind" in asked) return asked;
        approval = asked;
      } else if (matched === "yes") allowedAt ??= priority;
      else nearly ??= { ruleId, doubt: matched, call: seen };
    }
    if (approval === null) {
      const { args } = seen;
      return allowedAt === null ? { kind: "passed", args, nearly } : { kind: "allow", args };
    }
    const { priority: _walked, ...answer } = approval;
    return { kind: "require_approval", ...answer, isAllowed: allowedAt !== null, args: seen.args };
  };
}

/** An approval that a rule asks for. `priority`: of the first rule that asked. */
type Asked = Answer & Pick<CompiledRule, "priority" | "workflow" | "reach">;

/**
 * What is asked for when one more rule asks. Only a rule that is sure of its match and asks alone lets its
 * approval hold for further calls.
 */
function askAlso(earlier: Asked | null, rule: CompiledRule, doubt: string | null): Asked | TwoWorkflows {
  const { id: ruleId, message, lists, priority, workflow } = rule;
  const answer = { ruleId, message, lists, doubt, workflow };
  if (earlier === null) return { ...answer, priority, reach: doubt === null ? rule.reach : null };
  if (!asksOtherwise(rule, earlier)) return { ...earlier, reach: null };
  if (earlier.workflow !== null && workflow !== null)
    return {
      kind: "two_workflows",
      ruleId: earlier.ruleId,
      workflow: earlier.workflow,
      other: { ruleId, workflow },
    };
  return { ...answer, priority: earlier.priority, reach: null };
}

/** Whether a rule, should it match, lets the approval hold for this call alone. */
function endsReach({ action }: CompiledRule, { reach }: Asked): boolean {
  return action.kind === "require_approval" && reach !== null;
}

/** Whether a rule asks for the approval of a workflow that was not asked for so far. */
function asksOtherwise(rule: Pick<CompiledRule, "workflow">, asked: Pick<Asked, "workflow">): boolean {
  return rule.workflow !== null && rule.workflow !== asked.workflow;
}

/** Whether what a rule of an earlier priority answered leaves nothing for one of this kind to answer. */
function isVoid(kind: CompiledAction["kind"], answered: "require_approval" | "allow"): boolean {
  if (kind === "rewrite") return false;
  return answered === "allow" || kind !== "deny";
}

function doubtOf(matched: "yes" | Doubt, call: GovernedCall): string | null {
  return matched === "yes" ? null : describeDoubt(matched, call);
}

export function compileRule(
  { id, tools, priority, match, action, message }: RuleBody,
  context: MatchContext,
): CompiledRule {
  return {
    id,
    tools,
    priority,
    match: compileMatch(match, action.kind !== "allow", context),
    action: compileAction(action, context.patterns),
    message,
    lists: [...new Set(questionsOf(match).flatMap(({ test }) => test.lists))],
    workflow: action.kind === "require_approval" ? action.workflow : null,
    reach: action.kind === "require_approval" ? action.reach : null,
  };
}

function compileAction(action: RuleBody["action"], patterns: PatternSet): CompiledAction {
  switch (action.kind) {
    case "deny":
    case "require_approval":
    case "allow":
      return { kind: action.kind };
    case "redact":
    case "constrain":
      return { kind: "rewrite", rewrite: compileRewrite(action, patterns) };
  }
}
