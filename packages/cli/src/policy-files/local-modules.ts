import { type EvaluatorFactory, evaluatorFactory, type ModuleChecker } from "@svc/engine/evaluator-factory";
import type { RegoRuntime } from "@svc/rego/rego-runtime";
import type { Output } from "../frame/output.ts";

/**
 * Milliseconds of an evaluation. A gateway gives it 50: what takes longer here may only show that the
 * machine is busy, and a case of a test must not fail by that.
 */
const EVALUATE_MS = 2_000;

let runtime: Promise<RegoRuntime> | null = null;

/** Milliseconds of one evaluation of a module: the longest here, and those of a gateway. */
export class ModuleTimes {
  longestMs = 0;
  gatewayMs = Number.POSITIVE_INFINITY;
}

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

/** Evaluates modules as a gateway does, with more time, and notes how long they take. */
export function localEvaluators(times: ModuleTimes): EvaluatorFactory {
  return async (module, owner) => {
    const evaluator = await evaluatorFactory(await openRuntime())(module, owner);
    times.gatewayMs = (await import("@svc/rego/rego-runtime")).BUDGETS.evaluateMs;
    return {
      evaluate: async (input) => {
        const startMs = performance.now();
        const evaluation = await evaluator.evaluate(input);
        times.longestMs = Math.max(times.longestMs, performance.now() - startMs);
        return evaluation;
      },
      explain: (input) => evaluator.explain(input),
    };
  };
}

/** Warns when an evaluation took longer than a gateway waits. */
export function warnOfSlowModule({ longestMs, gatewayMs }: ModuleTimes, output: Output): void {
  if (longestMs <= gatewayMs) return;
  output.warn(
    `the Rego module took ${String(Math.round(longestMs))} ms for one call: a gateway denies after ` +
      `${String(gatewayMs)} ms. Make it faster, or try again if this machine is busy`,
  );
}
