import { type EvaluatorFactory, evaluatorFactory, type ModuleChecker } from "@svc/engine/evaluator-factory";
import type { RegoRuntime } from "@svc/rego/rego-runtime";

/**
 * Milliseconds of an evaluation. A gateway gives it 50: what takes longer here may only show that the
 * machine is busy, and a case of a test must not fail by that.
 */
const EVALUATE_MS = 2_000;

let runtime: Promise<RegoRuntime> | null = null;

/** Open Policy Agent on threads of this process, loaded at the first module: most policies have none. */
function openRuntime(): Promise<RegoRuntime> {
  runtime ??= import("@svc/rego/rego-runtime").then(({ openRego, BUDGETS }) =>
    openRego({ folder: null, budgets: { ...BUDGETS, evaluateMs: EVALUATE_MS } }),
  );
  return runtime;
}

/** Reads modules as a server does. */
export const localChecker: ModuleChecker = {
  check: async (module) => (await openRuntime()).check(module),
};

/** Evaluates modules as a gateway does, with more time. */
export const localEvaluators: EvaluatorFactory = async (module, owner) =>
  evaluatorFactory(await openRuntime())(module, owner);
