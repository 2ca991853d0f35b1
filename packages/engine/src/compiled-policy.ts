import type { GovernanceMode } from "@svc/contract/verdict";
import type { RowMask } from "./evaluate/compile-row-mask.ts";
import type { Evaluation, Evaluator, GovernedCall } from "./evaluation.ts";
import type { PolicyNames } from "./names/policy-names.ts";

/** What the caller of a policy must supply, await or record for each call. */
export interface PolicyNeeds {
  /** What the session has used: a condition reads its steps or cost, or a module is given both. */
  readonly usage: boolean;
  /** A count of what the session uses: the policy has a ceiling or needs the usage. */
  readonly counter: boolean;
  /** The time of the call in its row: a condition reads it, or a module is given it. */
  readonly time: boolean;
  /** Further evaluators, whose answers must be awaited. */
  readonly async: boolean;
}

/** A policy ready to decide: everything that does not depend on the call has been worked out. Immutable. */
export interface CompiledPolicy {
  readonly id: string;
  readonly name: string | null;
  /** The agent that the document itself binds; null when it names none. */
  readonly agentId: string | null;
  readonly mode: GovernanceMode;
  /** The versions of the guardrails that decide with it, such as `pci@3`. */
  readonly guardrails: readonly string[];
  /** Null: no ceiling. Reserved atomically with the audit row, never judged in `evaluate`. */
  readonly maxSteps: number | null;
  readonly maxCostMicroUsd: number | null;
  readonly needs: PolicyNeeds;
  /** Pure and total: equal calls get equal answers, and an internal fault is an exception, never an allow. */
  evaluate(call: GovernedCall): Evaluation;
  /** Whether `tools.read_only` lists the tool, so that an agent in quarantine may still call it. */
  isReadOnly(tool: string): boolean;
  /**
   * The arguments as the audit row may keep them: what `redact` rules hide is masked, unless they say
   * otherwise. Pure, and needs no usage. Null when the policy masks nothing.
   */
  readonly maskRow: RowMask | null;
  /** Which calls bear names that only look like those in the policy. */
  readonly names: PolicyNames;
  /** More evaluators. Their results combine with `evaluate` by severity. Empty for a declarative policy. */
  readonly evaluators: readonly Evaluator[];
}
