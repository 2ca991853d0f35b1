import type { KillSwitchRecord, KillSwitchView } from "@svc/contract/kill-switch";

export function viewKillSwitch<Shown extends KillSwitchRecord>(
  record: Shown,
  now: Date,
): Shown & KillSwitchView {
  return { ...record, stops: stops(record), remaining_seconds: remainingSeconds(record, now) };
}

function stops({ status, account_wide, scope, target_id }: KillSwitchRecord): string {
  if (status === "inactive") return "nothing: it has ended";
  if (account_wide || scope === "global" || target_id === null) return "EVERY call of this organization";
  switch (scope) {
    case "session":
      return `every call in session ${target_id}`;
    case "agent":
      return `every call of agent ${target_id}`;
    case "tool":
      return `every call of tool ${target_id}`;
    case "namespace":
      return `every call in namespace ${target_id}`;
  }
}

function remainingSeconds({ status, expires_at }: KillSwitchRecord, now: Date): number | null {
  if (status === "inactive" || expires_at === null) return null;
  return Math.max(0, Math.ceil((Date.parse(expires_at) - now.getTime()) / 1_000));
}
