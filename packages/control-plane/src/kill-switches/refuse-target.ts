import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import { type Refusal, refuse } from "../refusal.ts";

type Target = Pick<KillSwitchRecord, "scope" | "target_id" | "account_wide">;

/**
 * Why a key may not stop this target, or let it go on; null when it may. A key that is bound to agents or
 * namespaces may name exactly those: everything else also stops calls of others.
 */
export function refuseTarget({ id, agents, namespaces }: Principal, target: Target): Refusal | null {
  if (agents === null && namespaces === null) return null;
  const { scope, target_id, account_wide } = target;
  if (!account_wide && target_id !== null) {
    if (scope === "agent" && agents?.has(target_id) === true) return null;
    if (scope === "namespace" && namespaces?.has(target_id) === true) return null;
  }
  return refuse(
    "forbidden",
    `Key ${id} is bound: it may stop the agents and namespaces that it is bound to, and nothing else. ` +
      "Use a key that is not bound.",
  );
}
