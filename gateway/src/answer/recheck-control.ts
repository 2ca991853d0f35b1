import { holdsCall } from "../agents/held-calls.ts";
import type { CallFacts } from "../call-facts.ts";
import { type LiveControl, refuseByControl } from "../check/control-checks.ts";
import type { Ruling } from "../evaluate/ruling.ts";

/**
 * Runs the control checks once more on a ruling whose row is durable: a kill switch may have been activated,
 * or the agent suspended, while the row was being written. Nothing is awaited between this and the answer.
 * @returns the ruling that now stops the call; null when the answer may be given
 */
export function recheckControl(control: LiveControl, call: CallFacts, ruled: Ruling): Ruling | null {
  if (ruled.decision === "deny") return null;
  const stopped = refuseByControl(control, call, ruled.wouldBe);
  if (stopped === null) return null;
  // The row of a held call already holds it.
  return holdsCall(stopped) && holdsCall(ruled) ? null : stopped;
}
