import { compileEvaluate } from "@svc/engine/compile-evaluate";
import { type CompiledRule, compileRule } from "@svc/engine/compile-rules";
import { DetectorsByName } from "@svc/engine/detectors-by-name";
import { decidingDocument } from "@svc/engine/document-parts";
import type { Evaluation, GovernedCall } from "@svc/engine/evaluation";
import { hasStar, matchesGlob } from "@svc/engine/glob";
import { jsonTree } from "@svc/engine/json-tree";
import { PatternBudget } from "@svc/engine/pattern-budget";
import { PatternSet } from "@svc/engine/pattern-set";
import type { PolicyDocument, PolicyHead, Rule, RuleBody } from "@svc/engine/policy-document";
import { RememberedPaths } from "@svc/engine/remembered-fields";
import { Reporter } from "@svc/engine/reporter";
import { validateRules } from "@svc/engine/validate-rules";
import type { Witness } from "@svc/engine/witness";
import { globWork } from "../glob-work.ts";
import type { Repair } from "./finding.ts";
import type { Assignment } from "./witness/assignments.ts";
import { witnessOf } from "./witness/describe-witness.ts";
import { assigned, plainCall } from "./witness/draft-call.ts";

/**
 * Most work of all trials of one document: rules that are walked, and a share of the instructions of patterns
 * that are compiled. Some 300 ms. What is left of a larger document is not tried, and then not reported.
 */
const MAX_WORK = 60_000;

/** Instructions of patterns that compile in the time in which one rule is walked. */
const INSTRUCTIONS_PER_UNIT = 8;

/** Characters of globs that are compared in the time in which one rule is walked. */
const GLOB_CHARACTERS_PER_UNIT = 50;

/** What one trial costs beside its rules and globs. */
const TRIAL_WORK = 10;

/** Evaluates calls under a document and under repaired ones, with the engine that decides calls. */
export class Trial {
  readonly #head: PolicyHead;
  readonly #document: PolicyDocument;
  readonly #patterns: CountedPatterns;
  readonly #paths = new RememberedPaths();
  readonly #compiled = new Map<RuleBody, CompiledRule>();
  /** To ask every glob of the document about one tool. */
  readonly #globWork: number;
  #left = MAX_WORK;

  constructor(document: PolicyDocument) {
    this.#document = document;
    const { allowed, denied, rules } = document;
    const globs = [
      ...[...allowed, ...denied].map(({ glob }) => glob),
      ...rules.flatMap(({ tools }) => tools),
    ];
    this.#globWork = globWork(globs) / GLOB_CHARACTERS_PER_UNIT;
    this.#head = decidingDocument(document).head;
    this.#patterns = new CountedPatterns((instructions) => {
      this.#left -= instructions / INSTRUCTIONS_PER_UNIT;
    });
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** What the document decides about a call of the tool with these values. Null when no work is left. */
  witnessFor(tool: string, values: readonly Assignment[] = []): Witness | null {
    if (this.isSpent) return null;
    const call = assigned(plainCall(tool), values, []);
    return witnessOf(call, this.evaluate(call).decision);
  }

  evaluate(call: GovernedCall): Evaluation {
    return this.#evaluateWith(call, this.#document, this.#document.rules, this.#head.failClosed);
  }

  /** Null: what was to be written instead is not valid. */
  repaired(repair: Repair): ((call: GovernedCall) => Evaluation) | null {
    const document = this.#document;
    const { failClosed } = this.#head;
    switch (repair.kind) {
      case "fail_closed":
        return (call) => this.#evaluateWith(call, document, document.rules, true);
      case "denied": {
        const denied = [...document.denied, { glob: repair.glob, place: { pointer: "", offset: 0 } }];
        return (call) => this.#evaluateWith(call, { ...document, denied }, document.rules, failClosed);
      }
      case "rule": {
        const instead = validRule(repair, document);
        if (instead === null) return null;
        const rules = document.rules
          .map((rule) => (rule === repair.rule ? instead : rule))
          .toSorted((left, right) => left.priority - right.priority);
        return (call) => this.#evaluateWith(call, document, rules, failClosed);
      }
    }
  }

  #evaluateWith(
    call: GovernedCall,
    { allowed, denied }: Pick<PolicyDocument, "allowed" | "denied">,
    rules: readonly RuleBody[],
    failClosed: boolean,
  ): Evaluation {
    // A rule about other tools has no part in the walk.
    const about = rules.filter(({ tools }) => tools.some((glob) => isAbout(glob, call.tool)));
    this.#left -= TRIAL_WORK + this.#globWork + about.length;
    const globs = (list: PolicyDocument["allowed"]) =>
      list.flatMap(({ glob }) => (isAbout(glob, call.tool) ? [glob] : []));
    const evaluate = compileEvaluate({
      head: { ...this.#head, failClosed },
      allowed: globs(allowed),
      denied: globs(denied),
      rules: about.map((rule) => this.#compile(rule, failClosed)),
      readsUsage: false,
    });
    return evaluate(call);
  }

  #compile(rule: RuleBody, failClosed: boolean): CompiledRule {
    const context = { failClosed, patterns: this.#patterns, paths: this.#paths };
    if (failClosed !== this.#head.failClosed) return compileRule(rule, context);
    const known = this.#compiled.get(rule) ?? compileRule(rule, context);
    this.#compiled.set(rule, known);
    return known;
  }
}

/** Most globs are names, which are compared at once. */
function isAbout(glob: string, tool: string): boolean {
  return hasStar(glob) ? matchesGlob(glob, tool) : glob === tool;
}

function validRule(
  { rule, written }: Extract<Repair, { kind: "rule" }>,
  { detectors, namedGuardrails }: PolicyDocument,
): Rule | null {
  const reporter = new Reporter("", null);
  const own = new Map(detectors.map((detector) => [detector.name, detector]));
  const known = new DetectorsByName(own, namedGuardrails);
  const scope = { patterns: new PatternBudget(), detectors: known };
  const [valid] = validateRules(jsonTree([written]), scope, reporter);
  return reporter.hasErrors || valid === undefined ? null : { ...valid, place: rule.place };
}

/** Tells how large the patterns are that it compiles. */
class CountedPatterns extends PatternSet {
  readonly #seen = new Set<string>();
  readonly #count: (instructions: number) => void;

  constructor(count: (instructions: number) => void) {
    super();
    this.#count = count;
  }

  override compiled(text: string, ignoreCase: boolean) {
    const compiled = super.compiled(text, ignoreCase);
    const key = `${String(ignoreCase)}${text}`;
    if (!this.#seen.has(key)) this.#count(compiled.programSize());
    this.#seen.add(key);
    return compiled;
  }
}
