import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import { randomId } from "@svc/process/random-id";
import type { ControlChange, ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import { KillSwitchFeed } from "./kill-switch-feed.ts";
import { KillSwitchIndex, type KillTarget } from "./kill-switch-index.ts";
import type { LoadedPolicy } from "./policies/loaded-policy.ts";
import { PolicyIndex, type PolicySummary } from "./policies/policy-index.ts";
import type { PolicyLoad } from "./policies/policy-load.ts";
import { changeSlot, type RevisionRange, type SlotChange, takeEffect } from "./policies/policy-slot.ts";

/** Compiles new versions of policies while calls are served. */
export interface PolicyLoads {
  /** How many versions are not in force yet. */
  readonly pending: number;
  /** Compiles a version and finishes its load. Returns at once; the load may wait for others. */
  begin(load: PolicyLoad): void;
  /** Resolves when every load that a change of this revision waits for has ended. */
  settled(revision: number): Promise<void>;
}

/**
 * The kill switches and policies that this gateway enforces, as of one revision. All work is done when a
 * change arrives and none when a call does. A kill switch or a binding is in force when `load` or `apply`
 * returns. A new version of a policy is in force when `policiesSettled` resolves.
 */
export class ControlState implements ControlSubscriber {
  readonly #loads: PolicyLoads;
  #revision = 0;
  #killSwitches = new KillSwitchIndex();
  #policies = new PolicyIndex();
  /** Changes of kill switches, for followers outside this process. */
  readonly killSwitchFeed: KillSwitchFeed;

  /** @param newEpoch makes a name that no other process ever makes */
  constructor(loads: PolicyLoads, newEpoch: () => string = () => randomId("epoch")) {
    this.#loads = loads;
    this.killSwitchFeed = new KillSwitchFeed(newEpoch);
  }

  /** The last revision that was applied completely. */
  get revision(): number {
    return this.#revision;
  }

  get activeKillSwitches(): number {
    return this.#killSwitches.size;
  }

  /** Every active switch of one organization. */
  killSwitchesOf(org: string): readonly KillSwitchRecord[] {
    return this.#killSwitches.activeOf(org);
  }

  killSwitchFor(target: KillTarget): KillSwitchRecord | null {
    return this.#killSwitches.match(target);
  }

  policyFor(org: string, agentId: string, namespace: string): LoadedPolicy | null {
    return this.#policies.policyFor(org, agentId, namespace);
  }

  /** Resolves when the change of this revision is in force for every policy that it touches. */
  policiesSettled(revision: number): Promise<void> {
    return this.#loads.settled(revision);
  }

  policySummary(): PolicySummary {
    return this.#policies.summary();
  }

  /** The agents or namespaces of an organization that a policy is bound to. */
  boundNames(org: string, scope: "agent" | "namespace"): readonly string[] {
    return this.#policies.boundNames(org, scope);
  }

  /**
   * Replaces everything. The new state is built separately and then swapped in, so a fault leaves the
   * old state complete.
   */
  load(snapshot: ControlSnapshot): void {
    const { revision } = snapshot;
    const killSwitches = new KillSwitchIndex();
    const policies = new PolicyIndex();
    const revisions = { first: Math.min(this.#revision + 1, revision), last: revision };
    const application = { killSwitches, policies, known: this.#policies, revisions };
    const slotChanges = snapshot.changes.flatMap(({ org, change }) => applyChange(org, change, application));
    policies.followOn(this.#policies, revision);
    const known = this.#policies.slots();
    this.#killSwitches = killSwitches;
    this.#policies = policies;
    const previous = this.#revision;
    this.#revision = revision;
    for (const slotChange of slotChanges) this.#takeEffect(slotChange);
    const kept = new Set(policies.slots());
    // A load that gave way to a later version has ended by now. The remaining loads belong to policies that
    // no longer exist.
    for (const slot of known) if (!kept.has(slot)) slot.load?.giveWayTo(null);
    this.#forgetChanges();
    this.killSwitchFeed.reset(revision, previous);
  }

  /** Applies the next revision. @throws when the event is not the next one or cannot be applied. */
  apply(event: ControlEvent): void {
    const { revision, org, change } = event;
    if (revision !== this.#revision + 1) {
      throw new Error(`control event ${String(revision)} does not follow ${String(this.#revision)}`);
    }
    const [killSwitches, policies] = [this.#killSwitches, this.#policies];
    const revisions = { first: revision, last: revision };
    const slotChanges = applyChange(org, change, { killSwitches, policies, known: policies, revisions });
    this.#revision = revision;
    for (const slotChange of slotChanges) this.#takeEffect(slotChange);
    this.#forgetChanges();
    if (change.kind === "kill_switch") this.killSwitchFeed.add({ revision, org, record: change.record });
  }

  #takeEffect(slotChange: SlotChange): void {
    takeEffect(slotChange);
    if (slotChange.begins !== null) this.#loads.begin(slotChange.begins);
  }

  #forgetChanges(): void {
    if (this.#loads.pending === 0) this.#policies.forgetChanges();
  }
}

interface Application {
  readonly killSwitches: KillSwitchIndex;
  readonly policies: PolicyIndex;
  /** The policies in force before the change. */
  readonly known: PolicyIndex;
  /** When the change was made. */
  readonly revisions: RevisionRange;
}

/**
 * Puts a change into the indexes. @returns the slot changes that must take effect once these indexes
 * are in force.
 */
function applyChange(org: string, change: ControlChange, application: Application): readonly SlotChange[] {
  const { killSwitches, policies, known, revisions } = application;
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
    case "key":
    case "agent":
    case "severity":
      return [];
    default:
      throw new Error(`unknown control change ${JSON.stringify(change satisfies never)}`);
  }
}
