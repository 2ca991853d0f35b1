import { compileMatch, type MatchContext, type Matched } from "@svc/engine/compile-match";
import { type CompiledRule, compileRule } from "@svc/engine/compile-rules";
import type { Question } from "@svc/engine/condition";
import type { GovernedCall } from "@svc/engine/evaluation";
import type { RuleBody } from "@svc/engine/policy-document";
import type { Rewritten } from "@svc/engine/rewrite";
import type { Truth } from "@svc/engine/truth";

/** What was seen of a rule that was evaluated. */
export interface RuleVisit {
  readonly matched: Matched;
  /** As the rule saw it: earlier rules may have rewritten the arguments. */
  readonly call: GovernedCall;
  /** Null for a rule that did not rewrite. */
  rewritten: Rewritten | null;
}

/** Records one evaluation: which rules were evaluated, and what their questions said. */
export class Recorder {
  readonly #visits = new Map<RuleBody, RuleVisit>();
  readonly #truths = new Map<Question, Truth>();

  /** Begins with the next call. */
  clear(): void {
    this.#visits.clear();
    this.#truths.clear();
  }

  /** Null: the evaluation did not come to this rule. */
  visit(rule: RuleBody): RuleVisit | null {
    return this.#visits.get(rule) ?? null;
  }

  /** The rule before this one that left it nothing to answer; null: none did. */
  answerBefore({ priority }: RuleBody): RuleBody | null {
    const answered = [...this.#visits].filter(([rule, visit]) => hasAnswered(rule, visit));
    const last = answered.at(-1)?.[0];
    if (last?.action.kind !== "allow" && last?.action.kind !== "require_approval") return last ?? null;
    return answered.find(([rule]) => rule.priority < priority)?.[0] ?? null;
  }

  /** Null: the question was not judged. */
  truth(question: Question): Truth | null {
    return this.#truths.get(question) ?? null;
  }

  /** The rule as `compileRule` makes it, which also tells this recorder what it does. */
  compile(rule: RuleBody, context: Omit<MatchContext, "observe">): CompiledRule {
    const compiled = compileRule(rule, context);
    const observe = (question: Question, truth: Truth): void => void this.#truths.set(question, truth);
    const match = compileMatch(rule.match, rule.action.kind !== "allow", { ...context, observe });
    const { action } = compiled;
    return {
      ...compiled,
      match: (call, work) => {
        const matched = match(call, work);
        this.#visits.set(rule, { matched, call, rewritten: null });
        return matched;
      },
      action:
        action.kind === "rewrite"
          ? {
              kind: "rewrite",
              rewrite: (args, work) => {
                const rewritten = action.rewrite(args, work);
                const visit = this.#visits.get(rule);
                if (visit !== undefined) visit.rewritten = rewritten;
                return rewritten;
              },
            }
          : action,
    };
  }
}

/** Whether the rule denied, paused or allowed the call. */
function hasAnswered({ action }: RuleBody, { matched, rewritten }: RuleVisit): boolean {
  if (matched === "no") return false;
  switch (action.kind) {
    case "allow":
      return matched === "yes";
    case "deny":
    case "require_approval":
      return true;
    case "redact":
    case "constrain":
      return rewritten?.kind === "impossible";
  }
}
