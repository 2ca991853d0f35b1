import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type KillSwitchRow } from "@svc/contract/audit-row";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";

/** What one transition adds to what the record says: who asked, who did it, why. */
export type KillSwitchTransition = Pick<
  KillSwitchRow,
  "org" | "principal" | "time" | "action" | "actor" | "reason" | "trigger_source"
>;

/** The audit row of a transition of this switch, as text to store. */
export function killSwitchRow(record: KillSwitchRecord, transition: KillSwitchTransition): string {
  const { kill_switch_id, scope, target_id, account_wide, expires_at } = record;
  const target = { kill_switch_id, scope, target_id, account_wide, expires_at };
  return rowText({ v: AUDIT_ROW_VERSION, kind: "kill_switch", ...target, ...transition });
}
