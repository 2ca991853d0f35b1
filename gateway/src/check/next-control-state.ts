import { SeverityIndex } from "@svc/control-feed/severity-index";
import type { ControlChange } from "@svc/store/ports/control-change";
import { AgentIndex } from "../agents/agent-index.ts";
import { PolicyIndex } from "../policies/policy-index.ts";
import { isOutdated, type RevisionRange, type SlotChange } from "../policies/policy-slot.ts";
import { applyChange } from "./apply-change.ts";
import { KillSwitchIndex } from "./kill-switch-index.ts";

interface PlannedChange {
  readonly org: string;
  readonly change: ControlChange;
  readonly slotChange: SlotChange;
}

/** Control state that is built from a snapshot while calls are decided by the state before it. */
export class NextControlState {
  readonly killSwitches = new KillSwitchIndex();
  readonly policies = new PolicyIndex();
  readonly severities = new SeverityIndex();
  readonly agents = new AgentIndex();
  readonly #known: PolicyIndex;
  readonly #revisions: RevisionRange;
  readonly #planned: PlannedChange[] = [];

  /** @param known the policies in force. Versions may come into force there meanwhile, but no change. */
  constructor(known: PolicyIndex, revisions: RevisionRange) {
    this.#known = known;
    this.#revisions = revisions;
  }

  add(org: string, change: ControlChange): void {
    for (const slotChange of this.#apply(org, change)) this.#planned.push({ org, change, slotChange });
  }

  /** @returns the slot changes that must take effect once this state is in force, at once */
  finish(): readonly SlotChange[] {
    return this.#planned.flatMap(({ org, change, slotChange }) =>
      // The version in force is another one since this was planned, and must not give way to an earlier one.
      isOutdated(slotChange) ? this.#apply(org, change) : [slotChange],
    );
  }

  #apply(org: string, change: ControlChange): readonly SlotChange[] {
    const { killSwitches, policies, severities, agents } = this;
    return applyChange(org, change, {
      killSwitches,
      policies,
      severities,
      agents,
      known: this.#known,
      revisions: this.#revisions,
    });
  }
}
