import type { OutcomeReport } from "@svc/contract/outcome";
import { shapedArgsOf, type Verdict } from "@svc/contract/verdict";
import type { GovernedCall } from "@svc/engine/evaluation";
import { approvalIdOf } from "./approval-id-of.ts";
import type { KitDecision } from "./decision.ts";

/** A call as the policy saw it, with what its session had used before. */
export type KnownCall = GovernedCall & { readonly policyId: string | null };

/** The decisions of one test, oldest first. */
export class DecisionBook {
  readonly #decisions: KitDecision[] = [];
  readonly #calls = new Map<string | null, KnownCall>();

  get decisions(): readonly KitDecision[] {
    return [...this.#decisions];
  }

  note(call: KnownCall, verdict: Verdict): void {
    const decision = decisionOf(call, verdict);
    this.#decisions.push(decision);
    this.#calls.set(decision.decision_id, call);
  }

  settle({ decision_id: id, status }: OutcomeReport): void {
    for (const [at, decision] of this.#decisions.entries())
      if (decision.decision_id === id) this.#decisions[at] = { ...decision, outcome: status };
  }

  callOf({ decision_id: id }: KitDecision): KnownCall | null {
    return this.#calls.get(id) ?? null;
  }
}

function decisionOf(call: KnownCall, verdict: Verdict): KitDecision {
  const { agentId, sessionId, namespace, tool, args, timeMs } = call;
  const isAllow = verdict.decision === "allow";
  return {
    decision_id: verdict.decision_id ?? null,
    time: new Date(timeMs).toISOString(),
    agent_id: agentId,
    session_id: sessionId,
    namespace,
    tool,
    args,
    decision: verdict.decision,
    reason: isAllow ? null : verdict.reason,
    reason_code: isAllow ? null : verdict.reason_code,
    rule_id: isAllow ? null : (verdict.rule_id ?? null),
    fail_closed: verdict.decision === "deny" && verdict.fail_closed,
    policy_id: verdict.policy_id ?? null,
    would_be: isAllow ? (verdict.would_be ?? null) : null,
    shaped_args: isAllow ? shapedArgsOf(verdict) : null,
    approval_id: verdict.decision === "pause" ? approvalIdOf(verdict.approval_url) : null,
    kill_switch_id: verdict.decision === "deny" ? (verdict.kill_switch_id ?? null) : null,
    repeated: verdict.repeated === true,
    outcome: null,
  };
}
