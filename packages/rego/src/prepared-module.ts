import type { ModuleOwner } from "@svc/engine/evaluator-factory";
import type { EvaluatorPool } from "./evaluator-pool.ts";
import type { EvaluatorSlot, LoadedModule } from "./evaluator-slot.ts";
import { parseMessages } from "./parse-messages.ts";
import type { RegoRule } from "./rego-module.ts";
import { failed, type RegoFailureCode, type RegoResult } from "./rego-result.ts";
import type { Suspensions } from "./suspensions.ts";

export interface PreparedModuleOptions {
  readonly pool: EvaluatorPool;
  readonly suspensions: Suspensions;
  readonly module: LoadedModule;
  readonly owner: ModuleOwner;
  readonly rules: readonly RegoRule[];
  readonly onFailure: (code: RegoFailureCode) => void;
}

/** The evaluations of one module. Every way out of them but a result that OPA gave in time is a failure. */
export class PreparedModule {
  readonly #options: PreparedModuleOptions;
  readonly #closed = new AbortController();

  constructor(options: PreparedModuleOptions) {
    this.#options = options;
  }

  async evaluate(inputText: string): Promise<RegoResult> {
    const result = await this.#evaluateOrFail(inputText);
    if (result.kind === "failed") this.#options.onFailure(result.code);
    return result;
  }

  close(): void {
    this.#closed.abort();
    for (const slot of this.#options.pool.slots) slot.release(this.#options.module);
  }

  readonly #hasModule = (slot: EvaluatorSlot): boolean => slot.has(this.#options.module);

  async #evaluateOrFail(inputText: string): Promise<RegoResult> {
    try {
      return await this.#evaluateInTurn(inputText);
    } catch (error) {
      return failed("rego_error", `the evaluation failed: ${(error as Error).name}`);
    }
  }

  async #evaluateInTurn(inputText: string): Promise<RegoResult> {
    const { pool, suspensions, owner } = this.#options;
    if (suspensions.isSuspended(owner)) return SUSPENDED;
    const held = await pool.take(owner.organization, this.#hasModule, this.#closed.signal);
    if (held.kind === "busy") return BUSY;
    if (held.kind === "gone") return CLOSED;
    try {
      // Those before it in the queue may have cost their threads.
      if (suspensions.isSuspended(owner)) return SUSPENDED;
      return await this.#evaluateOn(held.slot, inputText);
    } finally {
      held.release();
    }
  }

  async #evaluateOn(slot: EvaluatorSlot, inputText: string): Promise<RegoResult> {
    const { module, rules, owner, suspensions } = this.#options;
    const loaded = await slot.load(module);
    if (loaded.kind === "refused") return failed("rego_error", "the module does not compile any more");
    if (loaded.kind === "unstarted") return failed("rego_unavailable", "OPA can not be started");
    if (loaded.kind === "late") {
      suspensions.noteLostThread(owner);
      return failed("rego_timeout", "the module was not compiled in time");
    }
    if (loaded.kind === "ended") return this.#ended(loaded.text);
    const outcome = await slot.evaluate(loaded.handle, inputText);
    if (outcome.kind === "text") return parseMessages(outcome.text, rules);
    if (outcome.kind === "late") {
      suspensions.noteLostThread(owner);
      const limitMs = String(this.#options.pool.budgets.evaluateMs);
      return failed("rego_timeout", `the evaluation did not end within ${limitMs} ms`);
    }
    return outcome.kind === "ended" ? this.#ended(outcome.text) : failed("rego_error", outcome.text);
  }

  /** Another thread has to start for it, as after a timeout. */
  #ended(text: string): RegoResult {
    this.#options.suspensions.noteLostThread(this.#options.owner);
    return failed("rego_error", text);
  }
}

const SUSPENDED = failed(
  "rego_suspended",
  "the module timed out or ended Open Policy Agent too often, and is not run for a while",
);
const BUSY = failed("rego_busy", "too many evaluations of modules wait");
const CLOSED = failed("rego_unavailable", "the policy of this module is not loaded any more");
