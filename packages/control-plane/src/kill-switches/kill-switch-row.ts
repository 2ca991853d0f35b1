import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type KillSwitchRow } from "@svc/contract/audit-row";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";

/** The facts of one transition that the record does not hold: who asked for it, who did it, and why. */
export type KillSwitchTransition = Pick<
  KillSwitchRow,
  "org" | "principal" | "time" | "action" | "actor" | "reason" | "trigger_source"
>;

/** The audit row of a transition of this switch, as text to store. Secrets that people wrote are masked. */
export function killSwitchRow(record: KillSwitchRecord, transition: KillSwitchTransition): string {
  const { kill_switch_id, scope, account_wide, expires_at } = record;
  const target_id = record.target_id === null ? null : maskSecretsInIdentifier(record.target_id);
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "kill_switch",
    kill_switch_id,
    scope,
    target_id,
    account_wide,
    expires_at,
    ...transition,
    actor: maskSecretsInText(transition.actor),
    reason: maskSecretsInText(transition.reason),
  });
}
