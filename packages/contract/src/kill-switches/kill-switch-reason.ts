import type { KillSwitchRecord } from "./kill-switch.ts";

type Stopping = Pick<KillSwitchRecord, "account_wide" | "scope" | "target_id" | "reason">;

/** The reason of a verdict that a kill switch decides. */
export function killSwitchReason({ account_wide, scope, target_id, reason }: Stopping): string {
  const target = account_wide ? "every call of this organization" : `${scope} ${target_id ?? ""}`;
  return `a kill switch stops ${target}: ${reason}`;
}
