import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ContractSubject } from "./contract-subject.ts";

/** Activates and ends switches, each with an audit row that names the organization and the switch. */
export function killSwitchActions(subject: ContractSubject) {
  const switches = () => subject.store().killSwitches;
  return {
    activate: async (org: string, record: KillSwitchRecord) =>
      switches().activateKillSwitch({ org, record, auditRow: `{"on":"${org}.${record.kill_switch_id}"}` }),
    end: async (org: string, id: string) =>
      switches().endKillSwitch({
        org,
        id,
        endedAt: "2026-01-02T04:00:00.000Z",
        endedBy: "operator-2",
        reason: "over",
        auditRow: `{"off":"${org}.${id}"}`,
      }),
  };
}
