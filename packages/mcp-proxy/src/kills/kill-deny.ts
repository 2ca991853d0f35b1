import type { DenyVerdict } from "@svc/contract/verdict";
import type { KillStates } from "./kill-state.ts";
import type { Scope } from "./scope.ts";

/** The deny of a call that a kill switch stops, before it begins or while it runs. */
export function killDeny(killSwitchId: string): DenyVerdict {
  return {
    decision: "deny",
    reason: "A kill switch stopped this call.",
    reason_code: "kill_switch",
    kill_switch_id: killSwitchId,
    args_constrained: false,
    fail_closed: false,
  };
}

/**
 * The deny of something new while a known switch covers it; null when none does. A list of switches that is
 * too old denies nothing here: new calls are judged by the gateway, which knows.
 */
export function activeKillDeny(scope: Scope, { killState }: KillStates): DenyVerdict | null {
  const state = killState(scope);
  return state.kind === "killed" ? killDeny(state.killSwitchId) : null;
}
