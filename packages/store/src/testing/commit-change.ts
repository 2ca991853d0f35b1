import type { ControlSnapshot } from "../ports/control-change.ts";
import type { Store } from "../ports/store.ts";
import { policy, storedAgent } from "./records.ts";

/** Makes the change of control state that an event announces. A policy is that of `records.ts`. */
export async function commitChange(store: Store, { org, change }: ControlSnapshot["changes"][number]) {
  const audited = { org, auditRow: "{}" };
  switch (change.kind) {
    case "policy": {
      const stored = policy(change.policyId, change.version);
      if (change.version === 1)
        return store.policies.createPolicy({ ...audited, policy: stored, binding: null });
      return store.policies.appendPolicyVersion({ ...audited, policy: stored, boundAgent: null });
    }
    case "assignment":
      return change.removed
        ? store.assignments.unassignPolicy({ ...audited, id: change.record.id })
        : store.assignments.assignPolicy({ ...audited, record: change.record });
    case "key": {
      const { key } = change;
      const made = { ...audited, actor: null, at: key.created_at };
      return key.revoked_at === null
        ? store.keys.createKey({ ...made, key })
        : store.keys.revokeKey({ ...made, id: key.id, at: key.revoked_at, revokedBy: key.revoked_by ?? "" });
    }
    case "kill_switch": {
      const { record } = change;
      if (record.status === "active") return store.killSwitches.activateKillSwitch({ ...audited, record });
      return store.killSwitches.endKillSwitch({
        ...audited,
        id: record.kill_switch_id,
        endedAt: record.ended_at ?? "",
        endedBy: record.ended_by ?? "",
        reason: record.end_reason,
      });
    }
    case "agent": {
      const { id, namespace } = change.record;
      if (change.removed)
        return store.agents.removeAgent({
          ...audited,
          agent: (await store.agents.agent(org, id)) ?? storedAgent(id),
        });
      return store.agents.registerAgent({ ...audited, agent: storedAgent(id, { namespace }) });
    }
    case "severity":
      throw new Error(`no change of kind ${change.kind} can be made here`);
  }
}
