import { parseJson } from "@svc/text/parse-json";
import type { ReactorReply } from "./reactor-reply.ts";
import { MAX_LOADED_MODULES, type RegoBudgets } from "./rego-limits.ts";
import type { RegoRule } from "./rego-module.ts";
import type { RegoOutcome, RegoThread } from "./rego-thread.ts";
import { isRule } from "./render-problems.ts";

/** A module as the threads are given it. */
export interface LoadedModule {
  /** Unlike that of any other module of this process. */
  readonly id: number;
  /** The request that prepares it. */
  readonly request: string;
}

interface Loaded {
  readonly handle: number;
  readonly rules: readonly RegoRule[];
}

/** How the preparation of a module in one thread ended. */
export type LoadOutcome =
  | ({ readonly kind: "loaded" } & Loaded)
  | { readonly kind: "refused"; readonly reply: ReactorReply }
  | { readonly kind: "late" }
  | { readonly kind: "ended"; readonly text: string }
  /** No thread could be started. */
  | { readonly kind: "unstarted"; readonly text: string };

/** A place for one thread, and what that thread has loaded. Its thread is replaced when it ends. */
export class EvaluatorSlot {
  readonly #start: () => Promise<RegoThread>;
  readonly #budgets: RegoBudgets;
  #thread: RegoThread | null = null;
  /** By module, the one used longest ago first. */
  #handles = new Map<number, Loaded>();
  #unused: number[] = [];
  /** Whether somebody uses it. */
  isTaken = false;

  constructor(start: () => Promise<RegoThread>, budgets: RegoBudgets) {
    this.#start = start;
    this.#budgets = budgets;
  }

  get isRunning(): boolean {
    return this.#thread?.isAlive === true;
  }

  has(module: LoadedModule): boolean {
    return this.isRunning && this.#handles.has(module.id);
  }

  /** Starts the thread when there is none. @throws when it can not start */
  async ensure(): Promise<RegoThread> {
    if (this.#thread?.isAlive === true) return this.#thread;
    this.#handles = new Map();
    this.#unused = [];
    await this.#thread?.ended;
    this.#thread = await this.#start();
    return this.#thread;
  }

  async load(module: LoadedModule): Promise<LoadOutcome> {
    let thread: RegoThread;
    try {
      thread = await this.ensure();
    } catch (error) {
      return { kind: "unstarted", text: error instanceof Error ? error.message : String(error) };
    }
    const known = this.#handles.get(module.id);
    if (known !== undefined) {
      this.#handles.delete(module.id);
      this.#handles.set(module.id, known);
      return { kind: "loaded", ...known };
    }
    await this.#dropUnused(thread);
    const outcome = await thread.run({ kind: "call", request: module.request }, this.#budgets.compileMs);
    if (outcome.kind === "late" || outcome.kind === "ended") return outcome;
    const reply = parseJson(outcome.text) as ReactorReply;
    if (reply.handle === undefined) return { kind: "refused", reply };
    const loaded = { handle: reply.handle, rules: (reply.rules ?? []).filter(isRule) };
    this.#handles.set(module.id, loaded);
    return { kind: "loaded", ...loaded };
  }

  /** @param handle that `load` answered just before */
  async evaluate(handle: number, input: string): Promise<RegoOutcome> {
    if (this.#thread === null) return { kind: "ended", text: "it was not started" };
    return this.#thread.run({ kind: "evaluate", handle, input }, this.#budgets.evaluateMs);
  }

  /** The thread forgets the module when it prepares the next one. */
  release(module: LoadedModule): void {
    const loaded = this.#handles.get(module.id);
    if (loaded === undefined) return;
    this.#handles.delete(module.id);
    this.#unused.push(loaded.handle);
  }

  async #dropUnused(thread: RegoThread): Promise<void> {
    const [oldest] = this.#handles;
    if (oldest !== undefined && this.#handles.size >= MAX_LOADED_MODULES) {
      this.#handles.delete(oldest[0]);
      this.#unused.push(oldest[1].handle);
    }
    for (const handle of this.#unused.splice(0)) {
      await thread.run(
        { kind: "call", request: JSON.stringify({ op: "drop", handle }) },
        this.#budgets.compileMs,
      );
    }
  }

  async close(): Promise<void> {
    this.#thread?.end("the runtime is closed");
    await this.#thread?.ended;
  }
}
