import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Logger } from "@svc/process/logger";

export interface KillSwitchFacts {
  readonly org: string;
  /** The principal whose key was used; `ttl_expiry` when the time ran out. */
  readonly principal: string;
  readonly record: KillSwitchRecord;
}

/** Logs one line per transition: which switch, its target and its end. */
export function logKillSwitch(
  log: Logger,
  message:
    | "kill switch activated"
    | "kill switch extended"
    | "kill switch deactivated"
    | "kill switch expired",
  { org, principal, record }: KillSwitchFacts,
): void {
  const { kill_switch_id, scope, target_id, account_wide, expires_at } = record;
  log.info({ org, principal, kill_switch_id, scope, target_id, account_wide, expires_at }, message);
}
