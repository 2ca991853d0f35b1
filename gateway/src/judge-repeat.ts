import type { Verdict } from "@svc/contract/verdict";
import { refuseByControl } from "./control-checks.ts";
import { governingPolicy } from "./governing-policy.ts";
import { concludeWithoutKey, type ExecuteParts } from "./execute.ts";
import { type PendingCall, pendingCall, type ReceivedCall } from "./pending-call.ts";

/** One more call with the key of an earlier one, and the verdict that is remembered of it. */
export interface RepeatedCall extends ReceivedCall {
  readonly verdict: Verdict;
}

/**
 * What a remembered verdict is worth now. `stopped`: something denies the call by now. `outdated`: the call
 * has to be decided afresh.
 */
export type RepeatJudgement =
  | { readonly kind: "stands" }
  | { readonly kind: "outdated" }
  | { readonly kind: "stopped"; readonly verdict: Promise<Verdict> };

/**
 * Runs the control checks on a remembered verdict. Without an await: what it finds holds when the caller
 * answers at once.
 */
export function judgeRepeat(parts: ExecuteParts, repeated: RepeatedCall): RepeatJudgement {
  const { verdict } = repeated;
  const killed = verdict.decision === "deny" && verdict.reason_code === "kill_switch";
  if (verdict.decision === "deny" && !killed) return { kind: "stands" };
  const call = pendingCall(repeated, parts.clock.nowMs());
  const stopped = refuseByControl(parts.control, call);
  if (killed) return { kind: stopped === null ? "outdated" : "stands" };
  if (stopped !== null) return { kind: "stopped", verdict: concludeWithoutKey(parts, call, stopped) };
  return { kind: isStillGoverned(parts, call, verdict) ? "stands" : "outdated" };
}

function isStillGoverned({ control }: ExecuteParts, call: PendingCall, verdict: Verdict): boolean {
  const governing = governingPolicy(control, call);
  if (governing.kind === "ruled") return false;
  return governing.policy.id === verdict.policy_id && governing.version === verdict.policy_version;
}
