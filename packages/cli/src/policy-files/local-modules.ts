import { type EvaluatorFactory, evaluatorFactory, type ModuleChecker } from "@svc/engine/evaluator-factory";
import type { RegoRuntime } from "@svc/rego/rego-runtime";

let runtime: Promise<RegoRuntime> | null = null;

/** Open Policy Agent on threads of this process, loaded at the first module: most policies have none. */
function openRuntime(): Promise<RegoRuntime> {
  runtime ??= import("@svc/rego/rego-runtime").then(({ openRego }) => openRego({ folder: null }));
  return runtime;
}

/** Reads modules as a server does. */
export const localChecker: ModuleChecker = {
  check: async (module) => (await openRuntime()).check(module),
};

/** Evaluates modules as a gateway does, within its limits. */
export const localEvaluators: EvaluatorFactory = async (module, owner) =>
  evaluatorFactory(await openRuntime())(module, owner);
