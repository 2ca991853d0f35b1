import type { KitDecision, ExpectedDecision as KitExpected } from "@svc/test-kit/decision";
import type { JsonObject } from "@svc/text/json-value";
import type { Decision, ExpectedDecision } from "./decision.ts";

/** A decision as the ecosystem writes its names. */
export function decisionOf(decision: KitDecision): Decision {
  const { tool, args, time, namespace, reason, repeated, outcome } = decision;
  return {
    decisionId: decision.decision_id,
    time,
    agentId: decision.agent_id,
    sessionId: decision.session_id,
    namespace,
    tool,
    args,
    decision: decision.decision,
    reason,
    reasonCode: decision.reason_code,
    ruleId: decision.rule_id,
    failClosed: decision.fail_closed,
    policyId: decision.policy_id,
    // An object type has no index signature, but every member of this one is a JSON value.
    wouldBe: decision.would_be as JsonObject | null,
    shapedArgs: decision.shaped_args,
    approvalId: decision.approval_id,
    killSwitchId: decision.kill_switch_id,
    repeated,
    outcome,
  };
}

const NAMES: Readonly<Record<keyof ExpectedDecision, keyof KitExpected>> = {
  tool: "tool",
  args: "args",
  agentId: "agent_id",
  sessionId: "session_id",
  namespace: "namespace",
  decision: "decision",
  ruleId: "rule_id",
  reasonCode: "reason_code",
  shapedArgs: "shaped_args",
  outcome: "outcome",
};

/** A name that decisions do not have is passed on, so that it is refused. */
export function expectedOf(expected: ExpectedDecision): KitExpected {
  const names: Readonly<Record<string, string>> = NAMES;
  const members: readonly (readonly [string, unknown])[] = Object.entries(expected);
  const known: Readonly<Record<string, unknown>> = Object.fromEntries(
    members.map(([name, value]): readonly [string, unknown] => [
      Object.hasOwn(names, name) ? (names[name] ?? name) : name,
      value,
    ]),
  );
  return known;
}
