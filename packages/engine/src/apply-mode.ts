import type { Decision, GovernanceMode, ReasonCode, WouldBe } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import type { CompiledPolicy } from "./compiled-policy.ts";
import type { CallContext, Evaluation } from "./evaluation.ts";

/** What an evaluation amounts to under a governance mode. */
export interface ModedDecision {
  readonly decision: Decision;
  readonly reason: string | null;
  readonly reasonCode: ReasonCode | null;
  readonly ruleId: string | null;
  /** The rewritten arguments that take effect. */
  readonly shapedArgs: JsonObject | null;
  /** What enforcement would answer; null when that is an allow, or when the mode enforces. */
  readonly wouldBe: WouldBe | null;
}

/** The ceiling that a call would exceed, and the steps that its session has used. */
export interface ReachedCeiling {
  readonly ceiling: "max_steps" | "max_cost";
  readonly steps: number;
}

/** The ceilings of a policy that one more call of a session would exceed. The first of them stops it. */
export function exceededCeilings(
  { maxSteps, maxCostMicroUsd }: Pick<CompiledPolicy, "maxSteps" | "maxCostMicroUsd">,
  used: NonNullable<CallContext["usage"]>,
  costMicroUsd: number,
): readonly ReachedCeiling["ceiling"][] {
  const isOverSteps = maxSteps !== null && used.steps + 1 > maxSteps;
  const isOverCost = maxCostMicroUsd !== null && used.costMicroUsd + costMicroUsd > maxCostMicroUsd;
  return [...(isOverSteps ? (["max_steps"] as const) : []), ...(isOverCost ? (["max_cost"] as const) : [])];
}

/** Applies the governance mode. No other code does. */
export function applyMode(evaluation: Evaluation, mode: GovernanceMode): ModedDecision {
  const { decision, reason, reasonCode, ruleId, shapedArgs } = evaluation;
  switch (mode) {
    case "enforcement":
      return { decision, reason, reasonCode, ruleId, shapedArgs, wouldBe: null };
    case "audit_only":
    case "shadow":
      return { ...WITHOUT_REASON, decision: "allow", wouldBe: wouldBeOf(evaluation) };
  }
}

/**
 * What becomes of an allowed call when a ceiling of its session is reached. Enforcement denies; the other
 * modes allow and say so.
 */
export function applyCeiling(
  allowed: ModedDecision,
  mode: GovernanceMode,
  reached: ReachedCeiling,
): ModedDecision {
  const reason = ceilingReason(reached);
  switch (mode) {
    case "enforcement":
      return { ...WITHOUT_REASON, decision: "deny", reason, reasonCode: reached.ceiling };
    case "audit_only":
    case "shadow": {
      const ceiling: WouldBe = { decision: "deny", reason, reason_code: reached.ceiling, rule_id: null };
      return { ...allowed, wouldBe: allowed.wouldBe?.decision === "deny" ? allowed.wouldBe : ceiling };
    }
  }
}

const WITHOUT_REASON: Omit<ModedDecision, "decision"> = {
  reason: null,
  reasonCode: null,
  ruleId: null,
  shapedArgs: null,
  wouldBe: null,
};

function ceilingReason({ ceiling, steps }: ReachedCeiling): string {
  return ceiling === "max_steps"
    ? `the session has used its ${String(steps)} allowed steps`
    : "the session's cost ceiling would be exceeded";
}

function wouldBeOf({ decision, reason, reasonCode, ruleId }: Evaluation): WouldBe | null {
  if (decision === "allow") return null;
  if (reason === null || reasonCode === null) throw new Error(`a ${decision} without a reason`);
  return { decision, reason, reason_code: reasonCode, rule_id: ruleId };
}
