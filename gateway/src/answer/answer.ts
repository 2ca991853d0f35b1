import { formatDecisionId } from "@svc/contract/decision-id";
import { isRetryable } from "@svc/contract/retryable";
import type { AllowVerdict, DenyVerdict, PauseVerdict, Verdict } from "@svc/contract/verdict";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { Ruling } from "../evaluate/ruling.ts";

/**
 * The verdict of a ruling whose row is durable at `position`. There is no way to an allow without that row.
 */
export function answer(ruled: Ruling, position: RowPosition, publicUrl: string): Verdict {
  switch (ruled.decision) {
    case "allow":
      return allow(ruled, position);
    case "pause":
      return pause(ruled, position, publicUrl);
    case "deny":
      return { ...deny(ruled), decision_id: formatDecisionId(position) };
  }
}

/** A deny whose row could not be written: it names no decision id, because no row exists. */
export function deny(ruled: Ruling): DenyVerdict {
  const why = requireReason(ruled);
  return {
    decision: "deny",
    ...why,
    ...ruleOf(ruled),
    ...(ruled.killSwitch === null ? {} : { kill_switch_id: ruled.killSwitch.id }),
    ...policyOf(ruled),
    args_constrained: false,
    fail_closed: ruled.failClosed,
    retryable: ruled.retryable ?? isRetryable(why.reason_code),
  };
}

function allow(ruled: Ruling, position: RowPosition): AllowVerdict {
  const { policy, wouldBe, shapedArgs } = ruled;
  // Nearly every allow: the same members as below, made without copies.
  if (policy !== null && wouldBe === null && shapedArgs === null) {
    return {
      decision: "allow",
      decision_id: formatDecisionId(position),
      policy_id: policy.id,
      policy_version: policy.version,
      mode: policy.mode,
      args_constrained: false,
    };
  }
  return {
    decision: "allow",
    decision_id: formatDecisionId(position),
    ...policyOf(ruled),
    ...(wouldBe === null ? {} : { would_be: wouldBe }),
    ...(shapedArgs === null
      ? { args_constrained: false }
      : { args_constrained: true, shaped_args: shapedArgs }),
  };
}

function pause(ruled: Ruling, position: RowPosition, publicUrl: string): PauseVerdict {
  if (ruled.pauseId === null) throw new Error("a pause without an id");
  return {
    decision: "pause",
    decision_id: formatDecisionId(position),
    ...requireReason(ruled),
    ...ruleOf(ruled),
    approval_url: `${publicUrl}/approvals/${ruled.pauseId}`,
    ...policyOf(ruled),
    args_constrained: false,
  };
}

function requireReason({
  reason,
  reasonCode,
  decision,
}: Ruling): Pick<DenyVerdict, "reason" | "reason_code"> {
  if (reason === null || reasonCode === null) throw new Error(`a ${decision} without a reason`);
  return { reason, reason_code: reasonCode };
}

function ruleOf({ ruleId }: Ruling): { readonly rule_id?: string } {
  return ruleId === null ? {} : { rule_id: ruleId };
}

function policyOf({ policy }: Ruling): Pick<AllowVerdict, "policy_id" | "policy_version" | "mode"> {
  return policy === null ? {} : { policy_id: policy.id, policy_version: policy.version, mode: policy.mode };
}
