import { type ArgsEdit, applyEdit } from "@svc/contract/args-edit";
import { applyCeiling, applyMode } from "@svc/engine/apply-mode";
import { ONE_CALL } from "@svc/engine/approval-terms";
import { combine } from "@svc/engine/combine";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { Evaluation, OnApproval } from "@svc/engine/evaluation";
import { evaluatorInput } from "@svc/engine/evaluator-input";
import type { Claims } from "@svc/store/ports/claims";
import type { LedgerOutcome } from "@svc/store/ports/ledger";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import type { JsonObject } from "@svc/text/json-value";
import { sessionKeyOf } from "../append/session-key.ts";
import type { CallFacts } from "../call-facts.ts";
import type { ReadyPolicy } from "../check/governing-policy.ts";
import { newApprovalId } from "./approvals.ts";
import { governedCall } from "./governed-call.ts";
import { faultRuling, type RuledApproval, type Ruling, ruling } from "./ruling.ts";

/** What the policy itself says of a call. */
export interface OwnEvaluation {
  readonly evaluation: Evaluation;
  /** What its further evaluators are asked with; null when there are none. */
  readonly input: string | null;
}

/** Evaluates the lists and rules of the policy. @throws on a fault */
export function evaluateOwn(
  policy: CompiledPolicy,
  facts: CallFacts,
  { args: asked, usage, edit }: JudgedContent,
): OwnEvaluation {
  const args = edit === null ? asked : applyEdit(asked, edit);
  const governed = governedCall(facts, { args, usage });
  const own = policy.evaluate(governed);
  const evaluation = edit === null ? own : withEditedArgs(own, args);
  return { evaluation, input: policy.needs.async ? evaluatorInput(governed) : null };
}

/** Asks the further evaluators of the policy; the most restrictive evaluation counts. */
export async function withEvaluators(
  { evaluators }: CompiledPolicy,
  { evaluation, input }: OwnEvaluation,
): Promise<Evaluation> {
  if (input === null) return evaluation;
  return combine([evaluation, ...(await Promise.all(evaluators.map((one) => one.evaluate(input))))]);
}

/** The arguments of a call, its session usage, and the edit of its approver. */
export interface JudgedContent {
  readonly args: JsonObject;
  readonly usage: SessionUsage | null;
  /** What an approver changed; null: the call is judged as it came. */
  readonly edit: ArgsEdit | null;
}

/** An edited call never runs with the arguments that it came with. */
function withEditedArgs(evaluation: Evaluation, args: JsonObject): Evaluation {
  const { decision, shapedArgs, onApproval } = evaluation;
  switch (decision) {
    case "deny":
      return evaluation;
    case "allow":
      return { ...evaluation, shapedArgs: shapedArgs ?? args };
    case "pause": {
      const { workflow, terms } = onApproval ?? PLAIN;
      // An edit is one of the arguments of the paused call, so it covers no call with other arguments.
      const own = terms.values === null ? terms : ONE_CALL;
      return {
        ...evaluation,
        onApproval: { workflow, terms: own, shapedArgs: onApproval?.shapedArgs ?? args },
      };
    }
  }
}

/** What a pause asks for that says nothing about its approval. */
const PLAIN: Pick<OnApproval, "workflow" | "terms"> = { workflow: null, terms: ONE_CALL };

/** Turns an evaluation into a ruling under the mode of its policy. */
export function rulingOf(evaluation: Evaluation, governing: ReadyPolicy, call: CallFacts): Ruling {
  const { policy, version } = governing;
  const { costMicroUsd, shapedArgs: wantedArgs } = evaluation;
  const { decision, reason, reasonCode, ruleId, shapedArgs, wouldBe } = applyMode(evaluation, policy.mode);
  // Every member is named: a copy of the zero value would cost each call more than several rules.
  return {
    decision,
    reason,
    reasonCode,
    retryable: null,
    ruleId,
    failClosed: decision === "deny" && reasonCode === "rego" && evaluation.rego?.kind === "failed",
    killSwitch: null,
    policy: { id: policy.id, version, mode: policy.mode },
    wouldBe,
    shapedArgs,
    wantedArgs,
    pauseId: decision === "pause" ? newApprovalId() : null,
    approval: decision === "pause" ? opens(evaluation.onApproval ?? PLAIN) : null,
    costMicroUsd,
    counters: decision === "allow" ? countersFor(policy, call, costMicroUsd) : NOT_COUNTED,
    observed: null,
    evaluatedAtMs: policy.needs.time ? call.timeMs : null,
    rego: evaluation.rego ?? null,
  };
}

function opens({ workflow, terms }: Pick<OnApproval, "workflow" | "terms">): RuledApproval {
  return { kind: "opens", workflow, terms };
}

/**
 * Adds the usage that the evaluation read. The row records it, and the commit notices when the usage has
 * changed since then.
 */
export function withObservedUsage(ruled: Ruling, observed: SessionUsage | null): Ruling {
  if (observed === null) return ruled;
  return { ...ruled, observed, counters: ruled.counters.map((claim) => ({ ...claim, observed })) };
}

/**
 * The ruling when a ceiling is reached. Enforcement denies. The other modes allow, report the deny as
 * `would_be`, and count past the ceiling.
 */
export function ceilingRuling(ruled: Ruling, refused: LedgerOutcome & { kind: "refused" }): Ruling {
  const { policy, counters, costMicroUsd, evaluatedAtMs, pauseId, rego } = ruled;
  if (policy === null || counters.length === 0) {
    return faultRuling("internal_error", "a ceiling was reported for a call without one");
  }
  const { ceiling, usage } = refused;
  const moded = applyCeiling(ruled, policy.mode, { ceiling, steps: usage.steps });
  if (moded.decision !== "allow")
    return ruling({
      ...moded,
      failClosed: false,
      policy,
      costMicroUsd,
      evaluatedAtMs,
      observed: usage,
      pauseId,
      rego,
    });
  const { decision, reason, reasonCode, ruleId, shapedArgs, wouldBe } = moded;
  const unlimited = { maxSteps: null, maxCostMicroUsd: null, observed: null };
  const known = { decision, reason, reasonCode, ruleId, shapedArgs, wouldBe, observed: usage };
  return { ...ruled, ...known, counters: counters.map((claim) => ({ ...claim, ...unlimited })) };
}

const NOT_COUNTED: Claims["counters"] = [];

/** What the session is charged: nothing when the policy has no ceiling and does not read the usage. */
function countersFor(policy: CompiledPolicy, call: CallFacts, costMicroUsd: number): Claims["counters"] {
  const key = policy.needs.counter ? sessionKeyOf(call) : null;
  if (key === null) return NOT_COUNTED;
  const { maxSteps, maxCostMicroUsd } = policy;
  return [{ key, steps: 1, costMicroUsd, maxSteps, maxCostMicroUsd, observed: null }];
}
