import { availableParallelism } from "node:os";
import type { ModuleOwner } from "@svc/engine/evaluator-factory";
import { type MonotonicClock, systemClock } from "@svc/process/clock";
import { blankMessages } from "./blank-messages.ts";
import { Checker } from "./checker.ts";
import { EvaluatorPool } from "./evaluator-pool.ts";
import { explainModule } from "./explain-module.ts";
import { hiddenLineEnds } from "./hidden-line-ends.ts";
import { INPUT_SCHEMA } from "./input-schema.ts";
import { loadProgram } from "./load-program.ts";
import { negatedInput } from "./negated-input.ts";
import { prepareModule } from "./prepare-module.ts";
import { printCalls } from "./print-calls.ts";
import { refuseSize } from "./refuse-size.ts";
import { BUDGETS, MAX_THREADS, MIN_THREADS, type RegoBudgets } from "./rego-limits.ts";
import type { RegoCheck, RegoModule } from "./rego-module.ts";
import type { RegoExplanation, RegoFailureCode, RegoResult } from "./rego-result.ts";
import { RegoThread } from "./rego-thread.ts";
import { renderCheck, uncheckedBecause } from "./render-problems.ts";
import { Suspensions } from "./suspensions.ts";
import { unknownData } from "./unknown-data.ts";

export { OPA_VERSION } from "./load-program.ts";
export { BUDGETS } from "./rego-limits.ts";
export type { RegoCheck, RegoModule } from "./rego-module.ts";
export { RegoUnusable } from "./rego-module.ts";
export type { RegoExplanation, RegoFailureCode, RegoResult } from "./rego-result.ts";

/** A module that is compiled and warm. */
export interface PreparedRego {
  /**
   * Never rejects: whatever goes wrong is a failed result, which means deny.
   * @param inputText canonical JSON of the input object, which OPA reads as it is
   */
  evaluate(inputText: string): Promise<RegoResult>;
  /** Forgets the module. Evaluations that wait are answered `rego_unavailable`. */
  close(): void;
}

export interface RegoRuntime {
  /** Never rejects: a module that could not be checked has a problem. */
  check(module: RegoModule): Promise<RegoCheck>;
  /**
   * Compiled and warm when it resolves. Rejects with `RegoUnusable` when the module does not compile, and
   * with another error on a fault of the moment.
   */
  prepare(module: RegoModule, owner: ModuleOwner): Promise<PreparedRego>;
  /** Never rejects. */
  explain(module: RegoModule, inputText: string): Promise<RegoExplanation>;
  /** Ends the threads. What waits is answered as unavailable. */
  close(): Promise<void>;
}

export interface RegoOptions {
  /** Where the unpacked program is kept between starts, such as the data directory; null: nowhere. */
  readonly folder: string | null;
  /** Loads the program with OPA; for what shares it. */
  readonly load?: (folder: string | null) => Promise<WebAssembly.Module>;
  /** Threads that evaluate, as count; one for each processor unless said, within limits. */
  readonly threads?: number;
  readonly clock?: MonotonicClock;
  readonly budgets?: RegoBudgets;
  /** Called for each evaluation that failed: every one is a deny. */
  readonly onFailure?: (code: RegoFailureCode) => void;
}

/** Loads nothing before it is first asked. */
export function openRego(options: RegoOptions): RegoRuntime {
  const {
    folder,
    load = loadProgram,
    clock = systemClock,
    budgets = BUDGETS,
    onFailure = () => undefined,
  } = options;
  let program: Promise<WebAssembly.Module> | null = null;
  let isClosed = false;
  const start = async (): Promise<RegoThread> => {
    if (isClosed) throw new Error("the runtime is closed");
    program ??= load(folder);
    try {
      return await RegoThread.start(await program);
    } catch (error) {
      // The next start reads the program again.
      program = null;
      throw error;
    }
  };
  const threads = Math.max(MIN_THREADS, options.threads ?? Math.min(availableParallelism(), MAX_THREADS));
  const onStartFailed = (): void => onFailure("rego_unavailable");
  const pool = new EvaluatorPool({ threads, budgets, start, onStartFailed });
  const checker = new Checker(start);
  const suspensions = new Suspensions(clock);
  return {
    async check(module) {
      const refusal = refuseSize(module);
      if (refusal !== null) return refusal;
      // What OPA says then is about another module than the one that its author sees.
      const hidden = hiddenLineEnds(module);
      if (hidden.length > 0) return { problems: hidden, rules: [] };
      const request = JSON.stringify({ op: "check", text: module.text, schema: INPUT_SCHEMA });
      const answer = await checker.ask(request, budgets.compileMs);
      if (answer.kind === "reply") return withOwn(renderCheck(answer.reply, module.text), module);
      return answer.kind === "late" ? uncheckedInTime(budgets.compileMs) : uncheckedBecause(answer.text);
    },
    prepare: (module, owner) => prepareModule({ module, owner, pool, suspensions, onFailure }),
    explain: (module, inputText) => explainModule({ checker, limitMs: budgets.explainMs }, module, inputText),
    async close() {
      isClosed = true;
      await Promise.all([pool.close(), checker.close()]);
    },
  };
}

function uncheckedInTime(limitMs: number): RegoCheck {
  const found = `checking it did not end within ${String(limitMs / 1_000)} s`;
  return uncheckedBecause(found, "Make the module smaller: trying again helps only if the machine was busy.");
}

/** Adds what OPA does not look for, where the text is Rego. */
function withOwn(check: RegoCheck, module: RegoModule): RegoCheck {
  if (check.problems.some(({ code }) => code === "rego/syntax" || code === "rego/unchecked")) return check;
  const own = [unknownData, negatedInput, printCalls, blankMessages].flatMap((look) => look(module));
  return { ...check, problems: [...check.problems, ...own] };
}
