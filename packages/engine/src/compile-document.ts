import type { CompiledPolicy } from "./compiled-policy.ts";
import { questionsOf } from "./condition.ts";
import { compileEvaluate } from "./evaluate/compile-evaluate.ts";
import { compileMaskingRule, compileRowMask, type MaskingRule } from "./evaluate/compile-row-mask.ts";
import { type CompiledRule, compileRule } from "./evaluate/compile-rules.ts";
import { PatternSet } from "./evaluate/pattern-set.ts";
import { RememberedPaths } from "./evaluate/remembered-fields.ts";
import type { Evaluator } from "./evaluation.ts";
import { RegoUnavailable } from "./evaluator-factory.ts";
import { namesSession } from "./evaluator-input.ts";
import { GlobIndex } from "./globs/glob-index.ts";
import { type ComparedName, comparedNames, PolicyNames } from "./names/policy-names.ts";
import type { PolicyHead, PolicyModule, RuleBody } from "./policy-document.ts";

/** A valid document without the places in its text. Its rules are taken one by one. */
export interface DecidingDocument {
  readonly head: PolicyHead;
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly readOnly: readonly string[];
  /** In the order in which they are walked. */
  readonly rules: Iterable<RuleBody>;
  readonly rego: PolicyModule | null;
}

/**
 * Compiles a valid document, one rule a step. Between two steps the caller may let other work of its thread
 * go first: a step takes microseconds, and as long as its longest pattern takes to compile.
 * @param evaluators what runs the module of the document
 * @throws when the document is not valid, and for a module that nothing runs.
 */
export function* compileDocument(
  document: DecidingDocument,
  evaluators: readonly Evaluator[] = [],
): Generator<undefined, CompiledPolicy> {
  const { head, allowed, denied, rego } = document;
  if (rego !== null && evaluators.length === 0) throw new RegoUnavailable();
  const readOnly = new GlobIndex(document.readOnly);
  const context = { failClosed: head.failClosed, patterns: new PatternSet(), paths: new RememberedPaths() };
  const rules: CompiledRule[] = [];
  const masking: MaskingRule[] = [];
  const globs = new Set([...allowed, ...denied, ...document.readOnly]);
  for (const { glob } of head.toolPrices) globs.add(glob);
  const compared: ComparedName[] = [];
  let readsUsage = false;
  let readsTime = false;
  for (const rule of document.rules) {
    rules.push(compileRule(rule, context));
    const mask = compileMaskingRule(rule, context);
    if (mask !== null) masking.push(mask);
    for (const glob of rule.tools) globs.add(glob);
    compared.push(...comparedNames(rule));
    const questions = questionsOf(rule.match);
    readsUsage ||= questions.some(({ subject }) => subject.kind === "usage");
    readsTime ||= questions.some(({ subject }) => subject.kind === "time");
    yield;
  }
  const { id, name, agentId, mode, guardrails, maxSteps, maxCostMicroUsd } = head;
  // A module is given the usage and the time.
  const usage = readsUsage || rego !== null;
  return Object.freeze({
    id,
    name,
    agentId,
    mode,
    guardrails,
    maxSteps,
    maxCostMicroUsd,
    needs: Object.freeze({
      usage,
      counter: usage || maxSteps !== null || maxCostMicroUsd !== null,
      time: readsTime || rego !== null,
      async: evaluators.length > 0,
    }),
    evaluate: compileEvaluate({ head, allowed, denied, rules, readsUsage: readsUsage || namesSession(rego) }),
    isReadOnly: (tool: string) => readOnly.hasMatch(tool),
    maskRow: compileRowMask(masking),
    names: new PolicyNames(globs, compared),
    evaluators: Object.freeze([...evaluators]),
  });
}

/** Compiles a valid document in one go. @param evaluators as `compileDocument` takes them */
export function compileAtOnce(
  document: DecidingDocument,
  evaluators: readonly Evaluator[] = [],
): CompiledPolicy {
  const steps = compileDocument(document, evaluators);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
