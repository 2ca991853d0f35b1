import type { Verdict } from "@svc/contract/verdict";
import type { SpanEnd } from "./telemetry.ts";

/**
 * What the span of a question says of its verdict, and by which decision to find its row. The sentence of the
 * reason is left to the row, because it can repeat values of the call.
 */
export function verdictAttributes(verdict: Verdict): SpanEnd {
  const { decision, decision_id } = verdict;
  const failed = verdict.decision === "deny" && verdict.fail_closed;
  const code = verdict.decision === "allow" ? null : verdict.reason_code;
  return {
    attributes: {
      "svc.decision": decision,
      ...(decision_id === undefined ? {} : { "svc.decision_id": decision_id }),
      ...(code === null ? {} : { "svc.reason_code": code }),
      ...(verdict.policy_id === undefined ? {} : { "svc.policy_id": verdict.policy_id }),
      ...(verdict.policy_version === undefined ? {} : { "svc.policy_version": verdict.policy_version }),
      ...(verdict.decision === "deny" ? { "svc.fail_closed": verdict.fail_closed } : {}),
    },
    fault: failed ? code : null,
  };
}
