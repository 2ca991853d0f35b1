import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Logger } from "@svc/process/logger";

export interface KillSwitchFacts {
  readonly org: string;
  /** Whose key it was; `ttl_expiry` when the time ran out. */
  readonly principal: string;
  readonly record: KillSwitchRecord;
}

/** One line per transition, for people who watch the log: which switch, on what, until when. */
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
