import { compileAtOnce, type DecidingDocument } from "@svc/engine/compile-document";
import { compileEvaluate } from "@svc/engine/compile-evaluate";
import { compileMatch } from "@svc/engine/compile-match";
import type { QuestionContext } from "@svc/engine/compile-question";
import { type CompiledRule, compileRule } from "@svc/engine/compile-rules";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { Question, Subject } from "@svc/engine/condition";
import type { Evaluation, Evaluator, GovernedCall } from "@svc/engine/evaluation";
import { PatternSet } from "@svc/engine/pattern-set";
import type { RuleBody } from "@svc/engine/policy-document";
import { RememberedPaths } from "@svc/engine/remembered-fields";
import type { JsonObject } from "@svc/text/json-value";
import { isMaskedAt, isWhollyMasked } from "../explain/masked-args.ts";
import { needsUsage } from "../explain/needs-usage.ts";

/** An evaluation of a call whose arguments are masked in part. */
export interface WatchedEvaluation {
  readonly evaluation: Evaluation;
  /** Whether a rule read what a mask stands for: the evaluation of the call itself may have been another. */
  readonly readMask: boolean;
}

/** A policy that also evaluates masked calls, and notices which of them it cannot decide. */
export interface WatchedPolicy {
  readonly policy: CompiledPolicy;
  evaluateMasked(call: GovernedCall): WatchedEvaluation;
}

/**
 * @param document with its rules as they are walked
 * @param evaluators as `compileDocument` takes them
 */
export function compileWatched(
  document: DecidingDocument & { readonly rules: readonly RuleBody[] },
  evaluators: readonly Evaluator[] = [],
): WatchedPolicy {
  const { head, allowed, denied, rules } = document;
  const policy = compileAtOnce(document, evaluators);
  const watch = new Watch();
  const context = { failClosed: head.failClosed, patterns: new PatternSet(), paths: new RememberedPaths() };
  const watched = rules.map((rule) => watch.compile(rule, context));
  const readsUsage = needsUsage(document);
  const evaluate = compileEvaluate({ head, allowed, denied, rules: watched, readsUsage });
  return {
    policy,
    evaluateMasked: (call) => {
      watch.begin(call.args);
      const evaluation = evaluate(call);
      return { evaluation, readMask: watch.readMask };
    },
  };
}

/** Watches what the rules of one evaluation read. */
class Watch {
  #args: JsonObject = {};
  readMask = false;

  begin(args: JsonObject): void {
    this.#args = args;
    this.readMask = false;
  }

  compile(rule: RuleBody, context: QuestionContext & { readonly failClosed: boolean }): CompiledRule {
    const compiled = compileRule(rule, context);
    const observe = ({ subject }: Question): void => {
      if (this.#isMasked(subject)) this.readMask = true;
    };
    const match = compileMatch(rule.match, rule.action.kind !== "allow", { ...context, observe });
    const { action } = compiled;
    if (action.kind !== "rewrite") return { ...compiled, match };
    const rewrite: typeof action.rewrite = (args, work) => {
      if (this.#boundsMask(rule)) this.readMask = true;
      return action.rewrite(args, work);
    };
    return { ...compiled, match, action: { kind: "rewrite", rewrite } };
  }

  #isMasked(subject: Subject): boolean {
    switch (subject.kind) {
      case "args":
        return isMaskedAt(this.#args, subject.path);
      case "anywhere":
      case "elements":
        return true;
      case "call":
      case "time":
      case "usage":
        return false;
    }
  }

  /** Whether a rewrite denies or does not, by a value that a mask stands for. */
  #boundsMask({ action }: RuleBody): boolean {
    if (isWhollyMasked(this.#args)) return true;
    if (action.kind !== "constrain") return false;
    return [...action.min, ...action.max].some(({ path }) => isMaskedAt(this.#args, path));
  }
}
