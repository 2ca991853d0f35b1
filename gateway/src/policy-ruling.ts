import { randomBytes } from "node:crypto";
import type { JsonObject } from "@svc/contract/json-value";
import type { Decision, GovernanceMode, WouldBe } from "@svc/contract/verdict";
import { combine } from "@svc/engine/combine";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { Evaluation } from "@svc/engine/evaluation";
import type { Reservation } from "@svc/store/ports/claims";
import type { LedgerOutcome } from "@svc/store/ports/ledger";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import type { CallFacts } from "./call-facts.ts";
import type { ReadyPolicy } from "./governing-policy.ts";
import { faultRuling, type Ruling, ruling } from "./ruling.ts";
import { sessionKeyOf } from "./session-key.ts";

/** Bytes of randomness in an approval id, so that nobody can guess one. */
const APPROVAL_ID_BYTES = 20;

/** Runs the policy and its further evaluators; the most restrictive evaluation counts. */
export async function evaluateCall(
  policy: CompiledPolicy,
  facts: CallFacts,
  { args, usage }: { readonly args: JsonObject; readonly usage: SessionUsage | null },
): Promise<Evaluation> {
  const { agentId, sessionId, namespace, tool, costMicroUsd } = facts;
  const governed = { agentId, sessionId, namespace, tool, args, costMicroUsd, usage };
  const own = policy.evaluate(governed);
  if (policy.evaluators.length === 0) return own;
  const others = await Promise.all(policy.evaluators.map((evaluator) => evaluator.evaluate(governed)));
  return combine([own, ...others]);
}

/** Turns an evaluation into a ruling: the governance mode is applied here and nowhere else. */
export function rulingOf(evaluation: Evaluation, governing: ReadyPolicy, call: CallFacts): Ruling {
  const { policy, version } = governing;
  const { decision, reason, reasonCode, ruleId, costMicroUsd } = evaluation;
  const effective = effectiveDecision(decision, policy.mode);
  const enforced = policy.mode === "enforcement";
  return ruling({
    decision: effective,
    reason: enforced ? reason : null,
    reasonCode: enforced ? reasonCode : null,
    ruleId: enforced ? ruleId : null,
    failClosed: false,
    policy: { id: policy.id, version, mode: policy.mode },
    wouldBe: enforced ? null : wouldBeOf(evaluation),
    shapedArgs: enforced ? evaluation.shapedArgs : null,
    wantedArgs: evaluation.shapedArgs,
    approvalId: effective === "pause" ? `apr_${randomBytes(APPROVAL_ID_BYTES).toString("base64url")}` : null,
    costMicroUsd,
    reservation: effective === "allow" ? reservationFor(policy, call, costMicroUsd) : null,
  });
}

/** Adds the usage that the evaluation read, so that the commit notices when the usage has changed since. */
export function withObservedUsage(ruled: Ruling, observed: SessionUsage | null): Ruling {
  return ruled.reservation === null ? ruled : { ...ruled, reservation: { ...ruled.reservation, observed } };
}

/**
 * The ruling when a ceiling is reached. Enforcement denies. The other modes allow, report the deny as
 * `would_be`, and count past the ceiling.
 */
export function ceilingRuling(ruled: Ruling, refused: LedgerOutcome & { kind: "refused" }): Ruling {
  const reason =
    refused.ceiling === "max_steps"
      ? `the session has used its ${String(refused.usage.steps)} allowed steps`
      : "the session's cost ceiling would be exceeded";
  if (ruled.policy === null || ruled.reservation === null) {
    return faultRuling("internal_error", "a ceiling was reported for a call without one");
  }
  if (ruled.policy.mode === "enforcement") {
    const { policy, costMicroUsd } = ruled;
    return ruling({ reason, reasonCode: refused.ceiling, failClosed: false, policy, costMicroUsd });
  }
  const would: WouldBe = { decision: "deny", reason, reason_code: refused.ceiling, rule_id: null };
  const reservation = { ...ruled.reservation, maxSteps: null, maxCostMicroUsd: null, observed: null };
  return { ...ruled, wouldBe: mostRestrictiveWouldBe(ruled.wouldBe, would), reservation };
}

function effectiveDecision(decision: Decision, mode: GovernanceMode): Decision {
  switch (mode) {
    case "enforcement":
      return decision;
    case "audit_only":
    case "shadow":
      return "allow";
  }
}

function wouldBeOf({ decision, reason, reasonCode, ruleId }: Evaluation): WouldBe | null {
  if (decision === "allow") return null;
  if (reason === null || reasonCode === null) throw new Error(`a ${decision} without a reason`);
  return { decision, reason, reason_code: reasonCode, rule_id: ruleId };
}

function mostRestrictiveWouldBe(known: WouldBe | null, ceiling: WouldBe): WouldBe {
  return known?.decision === "deny" ? known : ceiling;
}

/** What the session is charged; null when the policy has no ceiling and does not read the usage. */
function reservationFor(policy: CompiledPolicy, call: CallFacts, costMicroUsd: number): Reservation | null {
  const { maxSteps, maxCostMicroUsd } = policy;
  if (maxSteps === null && maxCostMicroUsd === null && !policy.readsUsage) return null;
  const key = sessionKeyOf(call);
  if (key === null) return null;
  return {
    key,
    steps: 1,
    costMicroUsd,
    maxSteps,
    maxCostMicroUsd,
    observed: null,
  };
}
