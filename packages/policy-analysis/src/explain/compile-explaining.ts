import type { ExplainedRule, Explanation } from "@svc/contract/policy-explanation";
import { compileAtOnce, type DecidingDocument } from "@svc/engine/compile-document";
import { compileEvaluate, needsSession } from "@svc/engine/compile-evaluate";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { Subject } from "@svc/engine/condition";
import type { Evaluation, Evaluator, GovernedCall } from "@svc/engine/evaluation";
import { GlobIndex } from "@svc/engine/glob-index";
import { PatternSet } from "@svc/engine/pattern-set";
import type { RuleBody } from "@svc/engine/policy-document";
import { RememberedPaths } from "@svc/engine/remembered-fields";
import { explainRule } from "./explain-rule.ts";
import { MaskedView } from "./masked-view.ts";
import { needsUsage } from "./needs-usage.ts";
import { Recorder } from "./recorder.ts";

/** What the lists and rules of a policy say of a call, and how it came about. */
export interface ExplainedEvaluation {
  /** What `CompiledPolicy.evaluate` answers to the same call. */
  readonly evaluation: Evaluation;
  readonly steps: Pick<Explanation, "denied" | "session" | "rules" | "allowed" | "fail_closed">;
  readonly decidedBy: Exclude<Explanation["decided_by"], "kill_switch" | "ceiling" | "rego">;
}

/** A policy that explains what it decides. */
export interface ExplainingPolicy {
  readonly policy: CompiledPolicy;
  /** What the policy was compiled from. */
  readonly document: DecidingDocument & { readonly rules: readonly RuleBody[] };
  /**
   * Pure and total, as `evaluate` is, and never of another opinion: it runs the same code.
   * @param isMasked for a recorded call: what its row masks
   */
  explain(call: GovernedCall, isMasked?: (subject: Subject) => boolean): ExplainedEvaluation;
  /** What the same rules would decide beside other lists of tools, explained likewise. */
  explainWith(
    lists: ToolLists,
    call: GovernedCall,
    isMasked?: (subject: Subject) => boolean,
  ): ExplainedEvaluation;
}

type ToolLists = Pick<DecidingDocument, "allowed" | "denied">;

const NOTHING_MASKED: (subject: Subject) => boolean = () => false;

/** @param evaluators as `compileDocument` takes them */
export function compileExplaining(
  document: DecidingDocument,
  evaluators: readonly Evaluator[] = [],
): ExplainingPolicy {
  const { head, allowed, denied } = document;
  const rules = [...document.rules];
  const policy = compileAtOnce({ ...document, rules }, evaluators);
  const recorder = new Recorder();
  const context = { failClosed: head.failClosed, patterns: new PatternSet(), paths: new RememberedPaths() };
  const compiled = rules.map((rule) => recorder.compile(rule, context));
  const parts = { head, allowed, denied, rules: compiled, readsUsage: needsUsage({ ...document, rules }) };
  const explainer = (lists: ToolLists) => {
    const evaluate = compileEvaluate({ ...parts, ...lists });
    const [deniedGlobs, allowedGlobs] = [new GlobIndex(lists.denied), new GlobIndex(lists.allowed)];
    return (call: GovernedCall, isMasked = NOTHING_MASKED): ExplainedEvaluation => {
      recorder.clear();
      const evaluation = evaluate(call);
      const view = new MaskedView(policy);
      const explained = rules.map((rule) => explainRule(rule, call, { recorder, view, isMasked }));
      const steps = {
        denied: globsAt(lists.denied, deniedGlobs.matches(call.tool)),
        session: { needed: needsSession(parts), named: call.sessionId !== null },
        rules: explained,
        allowed: globsAt(lists.allowed, allowedGlobs.matches(call.tool)),
        fail_closed: head.failClosed,
      };
      return { evaluation, steps, decidedBy: deciderOf(evaluation, explained, steps.allowed) };
    };
  };
  return {
    policy,
    document: { ...document, rules },
    explain: explainer({ allowed, denied }),
    explainWith: (lists, call, isMasked) => explainer(lists)(call, isMasked),
  };
}

function globsAt(globs: readonly string[], places: readonly number[]): readonly string[] {
  return places.map((at) => globs[at] ?? "");
}

function deciderOf(
  { decision, reasonCode }: Evaluation,
  rules: readonly ExplainedRule[],
  allowed: readonly string[],
): ExplainedEvaluation["decidedBy"] {
  if (reasonCode === "tool_denied") return "tools.denied";
  if (reasonCode === "session_required") return "session";
  if (reasonCode === "not_allowed") return "fail_closed";
  if (decision !== "allow") return "rule";
  if (rules.some(({ action, outcome }) => action === "allow" && outcome === "matched")) return "rule";
  return allowed.length > 0 ? "tools.allowed" : "fail_closed";
}
