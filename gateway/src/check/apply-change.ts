import type { SeverityIndex } from "@svc/control-feed/severity-index";
import type { ControlChange } from "@svc/store/ports/control-change";
import type { AgentIndex } from "../agents/agent-index.ts";
import type { PolicyIndex } from "../policies/policy-index.ts";
import { changeSlot, type RevisionRange, type SlotChange } from "../policies/policy-slot.ts";
import type { KillSwitchIndex } from "./kill-switch-index.ts";

interface Application {
  readonly killSwitches: KillSwitchIndex;
  readonly policies: PolicyIndex;
  readonly severities: SeverityIndex;
  readonly agents: AgentIndex;
  /** The policies in force before the change. */
  readonly known: PolicyIndex;
  /** When the change was made. */
  readonly revisions: RevisionRange;
}

/**
 * Puts a change into the indexes. @returns the slot changes that must take effect once these indexes
 * are in force.
 */
export function applyChange(
  org: string,
  change: ControlChange,
  application: Application,
): readonly SlotChange[] {
  const { killSwitches, policies, severities, agents, known, revisions } = application;
  switch (change.kind) {
    case "kill_switch":
      killSwitches.apply(org, change.record);
      return [];
    case "policy": {
      const { policyId: id, version, source, json = null, enabled } = change;
      const before = known.slot(org, id);
      const changed = changeSlot(before, { org, id, version, source, json }, { enabled, revisions });
      policies.setPolicy(org, id, changed.slot);
      return [changed];
    }
    case "assignment":
      if (change.removed) policies.removeAssignment(org, change.record, revisions.last);
      else {
        policies.setAssignment(org, change.record, revisions.last);
        policies.slot(org, change.record.policy_id)?.load?.extendTo(revisions.last);
      }
      return [];
    case "severity":
      severities.apply(org, change.record);
      return [];
    case "agent":
      agents.apply(org, change.record, change.removed);
      return [];
    case "key":
      return [];
    default:
      throw new Error(`unknown control change ${JSON.stringify(change satisfies never)}`);
  }
}
