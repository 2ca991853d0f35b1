import type { GovernanceMode } from "@svc/contract/verdict";
import type { RowMask } from "./evaluate/compile-row-mask.ts";
import type { Evaluation, Evaluator, GovernedCall } from "./evaluation.ts";

/** A policy ready to decide: everything that does not depend on the call has been worked out. Immutable. */
export interface CompiledPolicy {
  readonly id: string;
  readonly name: string | null;
  /** The agent that the document itself binds; null when it names none. */
  readonly agentId: string | null;
  readonly mode: GovernanceMode;
  /** Null: no ceiling. Reserved atomically with the audit row, never judged in `evaluate`. */
  readonly maxSteps: number | null;
  readonly maxCostMicroUsd: number | null;
  /**
   * Whether a condition reads `session.steps` or `session.cost_usd`: the caller must then supply the usage.
   */
  readonly readsUsage: boolean;
  /** Whether a condition reads the time of the call: the row must then record it. */
  readonly readsTime: boolean;
  /** Pure and total: equal calls get equal answers, and an internal fault is an exception, never an allow. */
  evaluate(call: GovernedCall): Evaluation;
  /** Whether `tools.read_only` lists the tool, so that an agent in quarantine may still call it. */
  isReadOnly(tool: string): boolean;
  /**
   * The arguments as the audit row may keep them: what `redact` rules hide is masked, unless they say
   * otherwise. Pure, and needs no usage. Null when the policy masks nothing.
   */
  readonly maskRow: RowMask | null;
  /** More evaluators. Their results combine with `evaluate` by severity. Empty for a declarative policy. */
  readonly evaluators: readonly Evaluator[];
}
