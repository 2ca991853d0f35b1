import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ProbeTarget } from "../propagation.ts";

export function probeTarget(org: string, { scope, target_id, account_wide }: KillSwitchRecord): ProbeTarget {
  if (account_wide || scope === "global") return { org, scope: "account", targetId: null };
  return { org, scope, targetId: target_id };
}
