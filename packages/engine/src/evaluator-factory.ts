import type { ModuleCode } from "./diagnostic-codes.ts";
import type { Evaluator, ModuleResult, ModuleTrace } from "./evaluation.ts";
import { moduleEvaluation } from "./module-evaluation.ts";
import type { PolicyModule } from "./policy-document.ts";

/** Whose module it is. */
export interface ModuleOwner {
  readonly organization: string;
  readonly policyId: string;
  readonly version: number;
}

/**
 * Makes what evaluates calls beside the rules of a document. Everything that decides, tries, explains or
 * replays calls takes one, so that a policy is decided the same everywhere, or refused by name.
 * Rejects with `ModuleUnusable` for a module that never runs, with `RegoUnavailable` where nothing runs
 * modules, and otherwise on a fault that says nothing about the document.
 */
export type EvaluatorFactory = (module: PolicyModule, owner: ModuleOwner) => Promise<Evaluator>;

/** What runs modules. */
export interface ModuleRuntime {
  /** Rejects with an error that has `problems` for a module that is not valid, and without on a fault. */
  prepare(module: Pick<PolicyModule, "text" | "data">, owner: ModuleOwner): Promise<PreparedModule>;
  /** Evaluates with a trace. Never rejects. */
  explain(module: Pick<PolicyModule, "text" | "data">, input: string): Promise<ModuleExplanation>;
}

/** An evaluation and how it came to its result. The trace of one that failed says nothing. */
export interface ModuleExplanation extends ModuleTrace {
  readonly result: ModuleResult;
}

/** What reads modules for their authors. */
export interface ModuleChecker {
  /** Never rejects: a module that could not be checked has a problem that says so. */
  check(module: Pick<PolicyModule, "text" | "data">): Promise<ModuleCheck>;
}

export interface ModuleCheck {
  readonly problems: readonly ModuleProblem[];
  /** `deny` and `require_approval`, as far as the module defines them. */
  readonly rules: readonly string[];
}

export interface ModuleProblem {
  /** `rego/unchecked`: a fault of the checker, which says nothing about the module. */
  readonly code: ModuleCode | "rego/unchecked";
  /** 1-based, in the text of the module. */
  readonly row: number;
  /** 1-based, in characters of Unicode. */
  readonly column: number;
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  readonly fix: string;
}

export interface PreparedModule {
  /** Never rejects: whatever goes wrong is a failed result. */
  evaluate(input: string): Promise<ModuleResult>;
  /** Forgets the module. */
  close(): void;
}

/** Nothing here runs modules: a document that has one is refused by this name. */
export class RegoUnavailable extends Error {
  override readonly name = "RegoUnavailable";

  constructor() {
    super("rego_unavailable: the policy has a Rego module, and nothing here evaluates it");
  }
}

/** The module of a document never runs. */
export class ModuleUnusable extends Error {
  override readonly name = "ModuleUnusable";
}

export function evaluatorFactory(runtime: ModuleRuntime): EvaluatorFactory {
  // A module is forgotten with the last policy that was compiled with it.
  const unused = new FinalizationRegistry<PreparedModule>((prepared) => prepared.close());
  // The last call of a policy may wait when nothing else holds its evaluator.
  const waiting = new Set<{ readonly evaluator: Evaluator }>();
  return async ({ text, data, workflow }, owner) => {
    const prepared = await runtime.prepare({ text, data }, owner).catch((error: unknown) => {
      if (error instanceof Error && "problems" in error) throw new ModuleUnusable(error.message);
      throw error;
    });
    const evaluator: Evaluator = {
      evaluate: async (input) => {
        const call = { evaluator };
        waiting.add(call);
        try {
          return moduleEvaluation(await prepared.evaluate(input), workflow);
        } finally {
          waiting.delete(call);
        }
      },
      explain: async (input) => {
        const { result, trace, coverage } = await runtime.explain({ text, data }, input);
        return result.kind === "messages" ? { trace, coverage } : null;
      },
    };
    unused.register(evaluator, prepared);
    return evaluator;
  };
}

/** The evaluators of a document beside its rules. Rejects as the factory does. */
export async function evaluatorsOf(
  factory: EvaluatorFactory,
  { rego }: { readonly rego: PolicyModule | null },
  owner: ModuleOwner,
): Promise<readonly Evaluator[]> {
  return rego === null ? [] : [await factory(rego, owner)];
}
