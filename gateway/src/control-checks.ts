import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { CallFacts } from "./call-facts.ts";
import type { FollowedState } from "@svc/control-feed/control-follower";
import type { ControlState } from "./control-state.ts";
import type { LoadedPolicy } from "./policies/loaded-policy.ts";
import { denyRuling, faultRuling, type Ruling } from "./ruling.ts";

/** Control state as it stands at the moment of a check. */
export interface LiveControl {
  readonly state: ControlState;
  readonly follower: Pick<FollowedState, "ageMs">;
}

/** A policy that can be asked. */
export type ReadyPolicy = LoadedPolicy & { readonly kind: "ready" };

/** A ruling that stops a call whatever its policy says; null when this check has nothing against the call. */
type ControlCheck = (control: LiveControl, call: CallFacts) => Ruling | null;

/** Denies while control state may be out of date: an unseen kill switch may apply to the call. */
const refuseUnverified: ControlCheck = ({ follower }) => {
  if (follower.ageMs <= CONTROL_LEASE_MS) return null;
  return faultRuling("control_state_unverified", "this gateway cannot verify that no kill switch applies");
};

/** Denies a call that a kill switch names. Kill switches apply in every governance mode. */
const refuseKilled: ControlCheck = ({ state }, call) => {
  const record = state.killSwitchFor(call);
  if (record === null) return null;
  const target = record.account_wide
    ? "every call of this organization"
    : `${record.scope} ${record.target_id ?? ""}`;
  return denyRuling("kill_switch", `a kill switch stops ${target}: ${record.reason}`, {
    killSwitch: { id: record.kill_switch_id, triggerSource: record.trigger_source },
  });
};

/** In the order in which they answer. Every check of live control state stands in this list. */
const CONTROL_CHECKS: readonly ControlCheck[] = [refuseUnverified, refuseKilled];

/**
 * Runs every control check. The same list applies before evaluation, to a repeated call, and once more after
 * the commit.
 * @returns the ruling of the first check that stops the call; null when none does.
 */
export function refuseByControl(control: LiveControl, call: CallFacts): Ruling | null {
  for (const check of CONTROL_CHECKS) {
    const ruling = check(control, call);
    if (ruling !== null) return ruling;
  }
  return null;
}

/** The policy that governs the call, ready to evaluate, or the ruling that there is none. */
export function governingPolicy(
  { state }: LiveControl,
  call: CallFacts,
): { readonly kind: "ruled"; readonly ruling: Ruling } | ReadyPolicy {
  const loaded = state.policyFor(call.org, call.agentId, call.namespace);
  switch (loaded?.kind) {
    case "ready":
      return loaded;
    case "loading":
      return { kind: "ruled", ruling: faultRuling("policy_loading", notCompiled(loaded)) };
    case "unloadable": {
      const version = `policy ${loaded.id} version ${String(loaded.version)}`;
      const reason = `${version} cannot be loaded here: ${loaded.detail}`;
      return { kind: "ruled", ruling: faultRuling("policy_unloadable", reason) };
    }
    case "disabled":
      return { kind: "ruled", ruling: denyRuling("no_policy", `policy ${loaded.id} is disabled`) };
    case undefined:
      return { kind: "ruled", ruling: denyRuling("no_policy", noPolicy(call)) };
  }
}

/** The policy whose redactions the audit row of a call masks, whatever is decided of the call. */
export function rowPolicy({ state, follower }: LiveControl, call: CallFacts): ReadyPolicy | null | "unknown" {
  // Before control state was read for the first time, no policy is known here, and any may govern the call.
  if (!Number.isFinite(follower.ageMs)) return "unknown";
  const loaded = state.policyFor(call.org, call.agentId, call.namespace);
  switch (loaded?.kind) {
    case "ready":
      return loaded;
    case "loading":
    case "unloadable":
    case "disabled":
      return "unknown";
    case undefined:
      return null;
  }
}

function notCompiled({ id, version }: LoadedPolicy & { readonly kind: "loading" }): string {
  return `policy ${id} version ${String(version)} is not compiled here yet: repeat the call in a moment`;
}

function noPolicy({ agentId, namespace }: CallFacts): string {
  return (
    `no policy governs agent ${agentId}: load one with agent_id: ${agentId} (POST /api/v1/policies), or ` +
    `assign one to this agent or to the namespace ${namespace} (POST /api/v1/policy-assignments)`
  );
}
