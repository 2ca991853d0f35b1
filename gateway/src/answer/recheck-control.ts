import { holdsCall } from "../agents/held-calls.ts";
import type { CallFacts } from "../call-facts.ts";
import { type LiveControl, refuseByControl } from "../check/control-checks.ts";
import { stillGoverns } from "../check/governing-policy.ts";
import type { Ruling } from "../evaluate/ruling.ts";

/** What became of a ruling while its row was written. */
export type Recheck =
  | { readonly kind: "stands" }
  /** The ruling that now stops the call. */
  | { readonly kind: "stopped"; readonly ruled: Ruling }
  /** Another version of the policy, or none, governs the call now. */
  | { readonly kind: "superseded" };

/**
 * Runs the control checks once more on a ruling whose row is durable: a kill switch may have been activated,
 * or the agent suspended, or the policy changed, while the call was evaluated and its row written. Nothing is
 * awaited between this and the answer.
 */
export function recheckControl(control: LiveControl, call: CallFacts, ruled: Ruling): Recheck {
  if (ruled.decision === "deny") return STANDS;
  const stopped = refuseByControl(control, call, ruled.wouldBe);
  if (stopped === null)
    // A paused call is judged again by the policy of the time when its approval is used.
    return ruled.decision === "pause" || stillGoverns(control, call, ruled) ? STANDS : SUPERSEDED;
  // The row of a held call already holds it.
  return holdsCall(stopped) && holdsCall(ruled) ? STANDS : { kind: "stopped", ruled: stopped };
}

const STANDS: Recheck = { kind: "stands" };
const SUPERSEDED: Recheck = { kind: "superseded" };
