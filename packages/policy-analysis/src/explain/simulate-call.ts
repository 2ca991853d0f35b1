import { killSwitchReason } from "@svc/contract/kill-switch-reason";
import type { Explanation, SimulatedVerdict } from "@svc/contract/policy-explanation";
import {
  applyCeiling,
  applyMode,
  exceededCeilings,
  type ModedDecision,
  type ReachedCeiling,
} from "@svc/engine/apply-mode";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { Subject } from "@svc/engine/condition";
import type { Evaluation, GovernedCall, ModuleTrace } from "@svc/engine/evaluation";
import { maskSecrets } from "@svc/engine/mask-secrets";
import { moduleRecord } from "@svc/engine/module-record";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { formatUsd } from "@svc/text/usd";
import { withModules } from "../ask-modules.ts";
import type { ExplainingPolicy } from "./compile-explaining.ts";

/** A call as it would meet a gateway. */
export interface SimulatedCall {
  /** Its usage is null only for a recorded call whose row holds none: no ceiling was reached then. */
  readonly call: GovernedCall;
  readonly killSwitches: Explanation["kill_switches"];
  /** For a recorded call: what its row masks. */
  readonly isMasked?: (subject: Subject) => boolean;
  /** What `askModules` answered to the call; needed when the policy has a module. */
  readonly said?: Evaluation | null;
  /** What `traceModules` answered to the call; null or absent: the explanation has none. */
  readonly trace?: ModuleTrace | null;
}

export interface Simulation {
  readonly verdict: SimulatedVerdict;
  readonly explanation: Explanation;
  /** Before mode and ceilings. */
  readonly evaluation: Evaluation;
}

/**
 * What a gateway would answer to a call under a policy, and why: kill switches, evaluation, mode and
 * ceilings, in the order of a gateway. Pure: it charges nothing.
 * @throws RegoUnavailable for a policy with a module that was not asked
 */
export function simulateCall(
  explaining: ExplainingPolicy,
  { call, killSwitches, isMasked, said = null, trace = null }: SimulatedCall,
): Simulation {
  const { policy } = explaining;
  const { evaluation: own, steps, decidedBy: ownDecider } = explaining.explain(call, isMasked);
  const evaluation = withModules(policy, own, said);
  const decidedBy = evaluation.decision === own.decision ? ownDecider : "rego";
  const moded = applyMode(evaluation, policy.mode);
  const { costMicroUsd } = evaluation;
  const { usage } = call.context;
  // A session is charged, and its ceilings are judged, only when the call names one.
  const exceeded =
    call.sessionId === null || usage === null ? [] : exceededCeilings(policy, usage, costMicroUsd);
  const ceilings = ceilingsOf(policy, call, { costMicroUsd, exceeded });
  const [ceiling] = moded.decision === "allow" ? exceeded : [];
  const reached = ceiling === undefined ? null : { ceiling, steps: usage?.steps ?? 0 };
  const settled = reached === null ? moded : applyCeiling(moded, policy.mode, reached);
  const { matched } = killSwitches;
  const stopped = reached !== null && settled.decision !== "allow" ? "ceiling" : decidedBy;
  return {
    evaluation,
    verdict: verdictOf(matched === null ? settled : stoppedBy(matched), {
      killSwitches,
      costMicroUsd,
    }),
    explanation: {
      decided_by: matched === null ? stopped : "kill_switch",
      kill_switches: killSwitches,
      ...steps,
      ceilings,
      mode: policy.mode,
      ...(evaluation.rego === undefined ? {} : { rego: moduleRecord(evaluation.rego) }),
      ...(trace === null ? {} : { rego_trace: traceOf(trace) }),
    },
  };
}

function traceOf({ trace, coverage }: ModuleTrace): NonNullable<Explanation["rego_trace"]> {
  const { covered, notCovered, percent } = coverage;
  return { trace, covered, not_covered: notCovered, percent };
}

interface Charge {
  readonly costMicroUsd: number;
  readonly exceeded: readonly ReachedCeiling["ceiling"][];
}

function ceilingsOf(
  { maxSteps, maxCostMicroUsd }: CompiledPolicy,
  { context: { usage }, sessionId }: SimulatedCall["call"],
  { costMicroUsd, exceeded }: Charge,
): Explanation["ceilings"] {
  if (sessionId === null) return { max_steps: null, max_usd_per_session: null };
  return {
    max_steps:
      maxSteps === null
        ? null
        : {
            limit: String(maxSteps),
            used: usage === null ? null : String(usage.steps),
            call: "1",
            exceeded: exceeded.includes("max_steps"),
          },
    max_usd_per_session:
      maxCostMicroUsd === null
        ? null
        : {
            limit: formatUsd(maxCostMicroUsd),
            used: usage === null ? null : formatUsd(usage.costMicroUsd),
            call: formatUsd(costMicroUsd),
            exceeded: exceeded.includes("max_cost"),
          },
  };
}

function stoppedBy(matched: NonNullable<Explanation["kill_switches"]["matched"]>): ModedDecision {
  return {
    decision: "deny",
    reason: killSwitchReason(matched),
    reasonCode: "kill_switch",
    ruleId: null,
    shapedArgs: null,
    wouldBe: null,
  };
}

interface Circumstances {
  readonly killSwitches: Explanation["kill_switches"];
  readonly costMicroUsd: number;
}

function verdictOf(
  { decision, reason, reasonCode, ruleId, shapedArgs, wouldBe }: ModedDecision,
  { killSwitches, costMicroUsd }: Circumstances,
): SimulatedVerdict {
  return {
    decision,
    reason,
    reason_code: reasonCode,
    rule_id: ruleId,
    kill_switch_id: killSwitches.matched?.kill_switch_id ?? null,
    would_be: wouldBe,
    args_constrained: shapedArgs !== null,
    shaped_args: shapedArgs === null ? null : masked(shapedArgs),
    cost_usd: formatUsd(costMicroUsd),
  };
}

function masked(args: JsonObject): JsonObject {
  return maskSecrets(args, canonicalJson(args));
}
