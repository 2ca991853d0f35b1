import type { ModuleOwner } from "@svc/engine/evaluator-factory";
import type { EvaluatorPool } from "./evaluator-pool.ts";
import type { EvaluatorSlot, LoadedModule, LoadOutcome } from "./evaluator-slot.ts";
import { INPUT_SCHEMA } from "./input-schema.ts";
import { PreparedModule } from "./prepared-module.ts";
import type { ReactorReply } from "./reactor-reply.ts";
import { refuseSize } from "./refuse-size.ts";
import { type RegoCheck, type RegoModule, type RegoRule, RegoUnusable } from "./rego-module.ts";
import type { RegoFailureCode } from "./rego-result.ts";
import { renderCheck, uncheckedBecause } from "./render-problems.ts";
import type { Suspensions } from "./suspensions.ts";

export interface PrepareOptions {
  readonly module: RegoModule;
  readonly owner: ModuleOwner;
  readonly pool: EvaluatorPool;
  readonly suspensions: Suspensions;
  readonly onFailure: (code: RegoFailureCode) => void;
}

/** Turns that a preparation waits for, as count, before it gives up: each is a second on a busy host. */
const MOST_TURNS = 30;

let lastId = 0;

/**
 * Compiles the module in every thread. @throws RegoUnusable when it does not compile, and another error on a
 * fault of the moment, which says nothing about the module
 */
export async function prepareModule(options: PrepareOptions): Promise<PreparedModule> {
  const { module, owner, pool, suspensions, onFailure } = options;
  const refusal = refuseSize(module);
  if (refusal !== null) throw unusable(refusal);
  lastId += 1;
  const request = { op: "prepare", text: module.text, data: module.data, schema: INPUT_SCHEMA };
  const loaded: LoadedModule = { id: lastId, request: JSON.stringify(request) };
  const rules = await warm(pool, loaded, { organization: owner.organization, text: module.text });
  return new PreparedModule({ pool, suspensions, module: loaded, owner, rules, onFailure });
}

/** @returns the rules that the module defines */
async function warm(
  pool: EvaluatorPool,
  module: LoadedModule,
  { organization, text }: { readonly organization: string; readonly text: string },
): Promise<readonly RegoRule[]> {
  const never = new AbortController().signal;
  let rules: readonly RegoRule[] | null = null;
  const lacks = (slot: EvaluatorSlot): boolean => !slot.has(module);
  for (let turn = 0; turn < MOST_TURNS && pool.slots.some(lacks); turn++) {
    const held = await pool.take(organization, lacks, never);
    if (held.kind !== "held") continue;
    try {
      rules = rulesOf(await held.slot.load(module), text);
    } catch (error) {
      for (const slot of pool.slots) slot.release(module);
      throw error;
    } finally {
      held.release();
    }
  }
  if (rules === null) throw fault("no thread was free");
  return rules;
}

function rulesOf(outcome: LoadOutcome, text: string): readonly RegoRule[] {
  switch (outcome.kind) {
    case "loaded":
      return outcome.rules;
    case "refused":
      throw unusable(refusedBy(outcome.reply, text));
    case "late":
      throw fault("it was not compiled in its time");
    case "ended":
      throw fault(outcome.text);
    case "unstarted":
      throw fault(`Open Policy Agent can not be started: ${outcome.text}`);
  }
}

/** A module that was refused has a problem, whatever the program said. */
function refusedBy(reply: ReactorReply, text: string): RegoCheck {
  const check = renderCheck(reply, text);
  const hasError = check.problems.some(({ severity }) => severity === "error");
  return hasError ? check : uncheckedBecause("the module was not prepared");
}

function fault(why: string): Error {
  return new Error(`the Rego module could not be prepared now: ${why}`);
}

function unusable({ problems }: RegoCheck): RegoUnusable {
  const first = problems.find(({ severity }) => severity === "error");
  return new RegoUnusable(first?.message ?? "the module can not be used", problems);
}
