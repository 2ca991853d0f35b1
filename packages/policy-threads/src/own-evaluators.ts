import { workerData } from "node:worker_threads";
import { type EvaluatorFactory, evaluatorFactory } from "@svc/engine/evaluator-factory";
import type { ThreadOverrides } from "@svc/process/service-thread";
import { openRego } from "@svc/rego/rego-runtime";

/** Threads that evaluate for one such thread, as count: its calls go one by one. */
const EVALUATING_THREADS = 2;

/**
 * Milliseconds. These threads stand back, so that an evaluation may wait for the processor longer than the
 * 50 ms that a gateway gives it. What the module says is told, and a module that hangs still fails.
 */
const BUDGETS = { evaluateMs: 1_000, compileMs: 5_000, explainMs: 2_000, waitMs: 5_000 };

/** How a thread runs modules. */
interface ModulePlace {
  /** Where the unpacked program is kept, such as the data directory. */
  readonly folder: string;
}

export interface ModuleThreadOptions extends ThreadOverrides {
  /** Null: the thread runs no modules, and a document with one is refused by name. */
  readonly modules: ModulePlace | null;
}

/** The evaluators of this thread. They load nothing before the first module, and end with the thread. */
export function ownEvaluators(): EvaluatorFactory | null {
  const modules = workerData as ModuleThreadOptions["modules"];
  if (modules === null) return null;
  return evaluatorFactory(
    openRego({ folder: modules.folder, threads: EVALUATING_THREADS, budgets: BUDGETS }),
  );
}
