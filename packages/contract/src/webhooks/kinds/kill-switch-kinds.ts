import { z } from "zod";
import type { KillSwitchRow } from "../../audit/audit-row.ts";
import { killSwitchScopeSchema, triggerSourceSchema } from "../../kill-switches/kill-switch.ts";
import { picked, webhookKind } from "../webhook-kind.ts";
import { memberForms } from "./member-forms.ts";

const { ends, maybe, text } = memberForms;

const SWITCH = {
  kill_switch_id: text,
  scope: killSwitchScopeSchema,
  target_id: maybe.describe("Null for an account-wide switch that names no target."),
  account_wide: z.boolean(),
  agent_id: maybe.describe("The target, when the scope is `agent`."),
  namespace: maybe.describe("The target, when the scope is `namespace`."),
  reason: text,
  trigger_source: triggerSourceSchema,
  expires_at: ends,
};

const EXAMPLE = {
  kill_switch_id: "ks_77b0",
  scope: "agent",
  target_id: "refund-agent",
  account_wide: false,
  agent_id: "refund-agent",
  namespace: null,
  reason: "incident 7",
  trigger_source: "manual",
  expires_at: null,
} as const;
const UNTIL = "2026-11-22T10:00:00.000Z";

/** Events about kill switches. One of rogue detection differs from one of a person in `trigger_source`. */
export const killSwitchKinds = {
  "killswitch.activated": webhookKind({
    when: "a kill switch was activated, by a person or by the service",
    rows: ["kill_switch.activated"],
    data: { ...SWITCH, activated_by: text },
    example: { ...EXAMPLE, activated_by: "ana" },
    read: (row) => ({ ...about(row), activated_by: row.actor }),
  }),
  "killswitch.extended": webhookKind({
    when: "an active kill switch got a later end",
    rows: ["kill_switch.extended"],
    data: { ...SWITCH, extended_by: text },
    example: { ...EXAMPLE, expires_at: UNTIL, extended_by: "ana" },
    read: (row) => ({ ...about(row), extended_by: row.actor }),
  }),
  "killswitch.deactivated": webhookKind({
    when: "a kill switch was ended before its time",
    rows: ["kill_switch.deactivated"],
    data: { ...SWITCH, deactivated_by: text },
    example: { ...EXAMPLE, reason: "incident 7 is over", deactivated_by: "ana" },
    read: (row) => ({ ...about(row), deactivated_by: row.actor }),
  }),
  "killswitch.expired": webhookKind({
    when: "the time of a kill switch was over",
    rows: ["kill_switch.expired"],
    data: SWITCH,
    example: {
      ...EXAMPLE,
      reason: `the time to live ended at ${UNTIL}`,
      trigger_source: "ttl_expiry",
      expires_at: UNTIL,
    },
    read: about,
  }),
};

function about(row: KillSwitchRow) {
  const targetOf = (scope: KillSwitchRow["scope"]) => (row.scope === scope ? row.target_id : null);
  return {
    ...picked(row, "kill_switch_id", "scope", "target_id", "account_wide"),
    ...picked(row, "reason", "trigger_source", "expires_at"),
    agent_id: targetOf("agent"),
    namespace: targetOf("namespace"),
  };
}
