import type { TriggerSource } from "@svc/contract/kill-switch";
import { announceRevision } from "../await-acknowledgements.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { killSwitchRow } from "./kill-switch-row.ts";
import { logKillSwitch } from "./log-kill-switch.ts";

/** Names the expiry in the record of a switch whose time ran out, and as actor and principal of its row. */
const TTL_EXPIRY = "ttl_expiry" satisfies TriggerSource;

export type ExpiryPorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "killSwitches" | "propagation" | "leads"
>;

/** A switch, and the end that has passed. */
export interface Expiry {
  readonly org: string;
  readonly id: string;
  readonly expiresAt: string;
}

/**
 * Ends one switch because its time to live is over. The caller has checked that it is over. Does nothing for
 * a switch that has ended, that was never stored, or that has a later end by now. @throws when the store
 * does not answer.
 */
export async function expireKillSwitch(ports: ExpiryPorts, { org, id, expiresAt }: Expiry): Promise<void> {
  const record = await ports.killSwitches.killSwitch(org, id);
  if (record === null) return;
  const endedAt = ports.clock.now().toISOString();
  const reason = `the time to live ended at ${expiresAt}`;
  const auditRow = killSwitchRow(record, {
    org,
    principal: TTL_EXPIRY,
    time: endedAt,
    action: "expired",
    actor: TTL_EXPIRY,
    reason,
    trigger_source: TTL_EXPIRY,
  });
  const ended = await ports.killSwitches.endKillSwitch({
    org,
    auditRow,
    id,
    ifExpiresAt: expiresAt,
    endedAt,
    endedBy: TTL_EXPIRY,
    reason,
  });
  if (ended.kind !== "ended") return;
  logKillSwitch(ports.log, "kill switch expired", { org, principal: TTL_EXPIRY, record: ended.record });
  const { note } = await announceRevision(ports, ended.revision);
  if (note !== undefined) ports.log.warn({ kill_switch_id: id }, `kill switch expired. ${note}`);
}
