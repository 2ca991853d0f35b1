import { refuseForeignNamespace } from "../agents/refuse-foreign-namespace.ts";
import type { CallFacts } from "../call-facts.ts";
import { denyRuling, faultRuling, type Ruling } from "../evaluate/ruling.ts";
import type { LoadedPolicy } from "../policies/loaded-policy.ts";
import type { LiveControl } from "./control-checks.ts";
import { refuseConfusableWithPolicy } from "./refuse-confusable.ts";

/** A policy that is compiled and can evaluate calls. */
export type ReadyPolicy = LoadedPolicy & { readonly kind: "ready" };

/** The policy that governs the call, ready to evaluate, or the ruling that denies the call without one. */
export function governingPolicy(
  { state }: LiveControl,
  call: CallFacts,
): { readonly kind: "ruled"; readonly ruling: Ruling } | ReadyPolicy {
  const loaded = state.policyFor(call.org, call.agentId, call.namespace);
  switch (loaded?.kind) {
    case "ready": {
      const ruling = refuseConfusableWithPolicy(loaded.policy, call);
      return ruling === null ? loaded : { kind: "ruled", ruling };
    }
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

/**
 * Whether the version of the policy that ruled on a call still governs it. Evaluators and commits take time,
 * in which an operator may have changed the policy, and been told that the change is in force.
 */
export function stillGoverns(
  { state }: LiveControl,
  call: CallFacts,
  { policy: ruledBy }: Pick<Ruling, "policy">,
): boolean {
  const loaded = state.policyFor(call.org, call.agentId, call.namespace);
  if (ruledBy === null || loaded?.kind !== "ready") return false;
  return loaded.version === ruledBy.version && loaded.policy.id === ruledBy.id;
}

/** The policy whose redactions mask the audit row of a call, whatever the decision on that call is. */
export function rowPolicy({ state, follower }: LiveControl, call: CallFacts): ReadyPolicy | null | "unknown" {
  // Until the first read of control state this gateway knows no policy, and any policy may govern the call.
  if (!Number.isFinite(follower.ageMs)) return "unknown";
  // Nobody knows what a policy hides that does not govern the call.
  if (refuseForeignNamespace(state, call) !== null) return "unknown";
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
