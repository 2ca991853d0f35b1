import { type LiveControl, refuseByControl } from "./check/control-checks.ts";
import { governingPolicy, type ReadyPolicy } from "./check/governing-policy.ts";
import { governedCall } from "./evaluate/governed-call.ts";
import { rulingOf } from "./evaluate/policy-ruling.ts";
import type { Ruling } from "./evaluate/ruling.ts";
import type { PendingCall } from "./pending-call.ts";

/**
 * A call after the stages that wait for nothing. `stopped`: a control check stops the call, or no policy can
 * rule on it. `governed`: a policy governs it; `ruled` is null when its ruling must wait for something.
 */
export type Judged =
  | { readonly kind: "stopped"; readonly ruled: Ruling }
  | { readonly kind: "governed"; readonly governing: ReadyPolicy; readonly ruled: Ruling | null };

/** Checks a call, and evaluates and rules on it where this thread can do so at once. @throws on a fault */
export function judge(control: LiveControl, call: PendingCall): Judged {
  const refusal = refuseByControl(control, call);
  if (refusal !== null) return { kind: "stopped", ruled: refusal };
  const governing = governingPolicy(control, call);
  if (governing.kind === "ruled") return { kind: "stopped", ruled: governing.ruling };
  return { kind: "governed", governing, ruled: ruleNow(call, governing) };
}

/** Null where the ruling depends on another thread, the session, or evaluators that take time. */
function ruleNow(call: PendingCall, governing: ReadyPolicy): Ruling | null {
  const { policy } = governing;
  const { local } = call.content;
  if (local === null || policy.needs.usage || policy.needs.async) return null;
  const evaluation = policy.evaluate(governedCall(call, { args: local.args, usage: null }));
  return rulingOf(evaluation, governing, call);
}
