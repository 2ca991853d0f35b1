import { killSwitchReason } from "@svc/contract/kill-switch-reason";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { WouldBe } from "@svc/contract/verdict";
import type { FollowedState } from "@svc/control-feed/control-follower";
import { heldRuling } from "../agents/held-calls.ts";
import { refuseForeignNamespace } from "../agents/refuse-foreign-namespace.ts";
import { refuseQuarantined } from "../agents/refuse-quarantined.ts";
import type { CallFacts } from "../call-facts.ts";
import { denyRuling, faultRuling, type Ruling } from "../evaluate/ruling.ts";
import type { ControlState } from "./control-state.ts";
import { refuseConfusable } from "./refuse-confusable.ts";

/** Control state as it stands at the moment of a check. */
export interface LiveControl {
  readonly state: ControlState;
  readonly follower: Pick<FollowedState, "ageMs">;
}

/** A ruling that stops a call whatever its policy says; null when this check does not stop the call. */
type ControlCheck = (control: LiveControl, call: CallFacts, softened: WouldBe | null) => Ruling | null;

/** Denies while control state may be out of date, because an unseen kill switch may apply to the call. */
const refuseUnverified: ControlCheck = ({ follower }) => {
  if (follower.ageMs <= CONTROL_LEASE_MS) return null;
  return faultRuling("control_state_unverified", "this gateway cannot verify that no kill switch applies");
};

/** Denies a call that a kill switch names. Kill switches apply in every governance mode. */
const refuseKilled: ControlCheck = ({ state }, call) => {
  const record = state.killSwitchFor(call);
  if (record === null) return null;
  return denyRuling("kill_switch", killSwitchReason(record), {
    killSwitch: { id: record.kill_switch_id, triggerSource: record.trigger_source },
  });
};

/**
 * Denies the calls of a session that rogue detection terminated, and holds those of a suspended agent. Like
 * kill switches, this applies in every governance mode.
 */
const refuseRogue: ControlCheck = ({ state }, call) => {
  switch (state.severityFor(call)) {
    case "INFO":
    case "WARNING":
      return null;
    case "CRITICAL":
      return heldRuling(call, state.revision);
    case "EMERGENCY":
      return denyRuling("severity_emergency", terminated(call));
  }
};

function terminated({ agentId, sessionId }: CallFacts): string {
  const what =
    sessionId === null
      ? `a session of agent ${agentId}, and this call names no session`
      : `session ${sessionId}`;
  return `rogue detection terminated ${what}; an operator must register agent ${agentId} again`;
}

/** Every check of live control state, in the order in which they run. */
const CONTROL_CHECKS: readonly ControlCheck[] = [
  refuseUnverified,
  refuseKilled,
  ({ state }, call) => refuseConfusable(state, call),
  refuseRogue,
  ({ state }, call) => refuseForeignNamespace(state, call),
  ({ state }, call, softened) => refuseQuarantined(state, call, softened),
];

/**
 * Runs every control check. The same list applies before evaluation, to a repeated call, and once more after
 * the commit.
 * @param softened what a governance mode kept from taking effect; null before the policy has ruled
 * @returns the ruling of the first check that stops the call; null when none does.
 */
export function refuseByControl(
  control: LiveControl,
  call: CallFacts,
  softened: WouldBe | null = null,
): Ruling | null {
  for (const check of CONTROL_CHECKS) {
    const ruling = check(control, call, softened);
    if (ruling !== null) return ruling;
  }
  return null;
}
