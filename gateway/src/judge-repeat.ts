import type { Verdict } from "@svc/contract/verdict";
import { refuseByControl } from "./control-checks.ts";
import { concludeWithoutKey } from "./decide-in-steps.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { governingPolicy } from "./governing-policy.ts";
import { type PendingCall, pendingCall, type ReceivedCall } from "./pending-call.ts";
import { endsWithControlState } from "./stored-decision.ts";

/** A call that repeats the key of an earlier call, and the remembered verdict of that call. */
export interface RepeatedCall extends ReceivedCall {
  readonly verdict: Verdict;
}

/**
 * Whether a remembered verdict still holds. `stopped`: a control check now denies the call. `outdated`: the
 * call must be decided anew.
 */
export type RepeatJudgement =
  | { readonly kind: "stands" }
  | { readonly kind: "outdated" }
  | { readonly kind: "stopped"; readonly verdict: Promise<Verdict> };

/**
 * Runs the control checks on a remembered verdict. It does not await, so its result holds if the caller
 * answers at once.
 */
export function judgeRepeat(parts: ExecuteParts, repeated: RepeatedCall): RepeatJudgement {
  const { verdict } = repeated;
  const mayEnd = verdict.decision === "deny" && endsWithControlState(verdict);
  if (verdict.decision === "deny" && !mayEnd) return { kind: "stands" };
  const call = pendingCall(repeated, parts.clock, parts.control.state);
  const softened = verdict.decision === "allow" ? (verdict.would_be ?? null) : null;
  const stopped = refuseByControl(parts.control, call, softened);
  if (mayEnd) return { kind: stopped?.decision === "deny" ? "stands" : "outdated" };
  // What became of an approval meanwhile decides about the repeat of a paused call.
  if (stopped === null && verdict.decision === "pause") return { kind: "outdated" };
  if (stopped !== null) return { kind: "stopped", verdict: concludeWithoutKey(parts, call, stopped) };
  return { kind: isStillGoverned(parts, call, verdict) ? "stands" : "outdated" };
}

function isStillGoverned({ control }: ExecuteParts, call: PendingCall, verdict: Verdict): boolean {
  const governing = governingPolicy(control, call);
  if (governing.kind === "ruled") return false;
  return governing.policy.id === verdict.policy_id && governing.version === verdict.policy_version;
}
