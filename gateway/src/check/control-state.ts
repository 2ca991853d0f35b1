import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Severity } from "@svc/contract/severity";
import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import { SeverityIndex, type SupervisedCaller } from "@svc/control-feed/severity-index";
import { randomId } from "@svc/process/random-id";
import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import type { GovernedAgent } from "@svc/store/ports/governed-agent";
import { AgentIndex } from "../agents/agent-index.ts";
import { SeverityWatch } from "../agents/severity-watch.ts";
import type { CallFacts } from "../call-facts.ts";
import type { LoadedPolicy } from "../policies/loaded-policy.ts";
import { PolicyIndex, type PolicySummary, type UnloadablePolicy } from "../policies/policy-index.ts";
import type { PolicyLoad } from "../policies/policy-load.ts";
import { type SlotChange, takeEffect } from "../policies/policy-slot.ts";
import { applyChange } from "./apply-change.ts";
import { KillSwitchFeed } from "./kill-switch-feed.ts";
import { KillSwitchIndex, type KillTarget } from "./kill-switch-index.ts";
import type { NameLooks } from "./name-looks.ts";
import { NextControlState } from "./next-control-state.ts";

/** Changes of a snapshot that are taken in one step, as count: together they take less than a millisecond. */
const CHANGES_PER_STEP = 100;

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
 * change arrives and none when a call does. A kill switch or a binding is in force when `apply` returns or
 * `load` ends. A new version of a policy is in force when `policiesSettled` resolves.
 */
export class ControlState implements ControlSubscriber {
  readonly #loads: PolicyLoads;
  #revision = 0;
  #killSwitches = new KillSwitchIndex();
  #policies = new PolicyIndex();
  #severities = new SeverityIndex();
  /** Changes of severities, for calls that wait until their agents recover. */
  readonly severityWatch = new SeverityWatch();
  #agents = new AgentIndex();
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

  /**
   * The switch on a name that a name of the call looks like without being it; null when there is none.
   */
  switchLookedLike(call: CallFacts): KillSwitchRecord | null {
    if (call.namesArePlain && this.#killSwitches.isPlain(call.org)) return null;
    return this.#killSwitches.matchLookAlike(call);
  }

  /** The registered agents of an organization and their namespaces, by what they look like. */
  registeredLooks(org: string): NameLooks | null {
    return this.#agents.looksOf(org);
  }

  /** The agents and namespaces that policies are bound to, by what they look like. */
  boundLooks(org: string): NameLooks | null {
    return this.#policies.looksOf(org);
  }

  /** How suspicious the session of a call is. */
  severityFor(caller: SupervisedCaller): Severity {
    return this.#severities.severityOf(caller);
  }

  /** The registration of an agent; null: nobody registered it. */
  agentFor(org: string, agentId: string): GovernedAgent | null {
    return this.#agents.find(org, agentId);
  }

  policyFor(org: string, agentId: string, namespace: string): LoadedPolicy | null {
    return this.#policies.policyFor(org, agentId, namespace);
  }

  /** Resolves when the change of this revision is in force for every policy that it touches. */
  policiesSettled(revision: number): Promise<void> {
    return this.#loads.settled(revision);
  }

  unloadablePolicies(limit: number): readonly UnloadablePolicy[] {
    return this.#policies.unloadable(limit);
  }

  policySummary(): PolicySummary {
    return this.#policies.summary();
  }

  /** The agents or namespaces of an organization that a policy is bound to. */
  boundNames(org: string, scope: "agent" | "namespace"): readonly string[] {
    return this.#policies.boundNames(org, scope);
  }

  /**
   * Replaces everything. The new state is built in steps beside the one in force and then swapped in, so a
   * fault leaves the old state complete.
   */
  *load(snapshot: ControlSnapshot): Generator<undefined, void> {
    const { revision } = snapshot;
    const revisions = { first: Math.min(this.#revision + 1, revision), last: revision };
    const next = new NextControlState(this.#policies, revisions);
    for (const [at, { org, change }] of snapshot.changes.entries()) {
      next.add(org, change);
      if (at % CHANGES_PER_STEP === 0) yield;
    }
    next.policies.followOn(this.#policies, revision);
    yield;
    const slotChanges = next.finish();
    const known = this.#policies.slots();
    this.#killSwitches = next.killSwitches;
    this.#policies = next.policies;
    this.#severities = next.severities;
    this.#agents = next.agents;
    const previous = this.#revision;
    this.#revision = revision;
    for (const slotChange of slotChanges) this.#takeEffect(slotChange);
    const kept = new Set(this.#policies.slots());
    // A load that gave way to a later version has ended by now. The remaining loads belong to policies that
    // no longer exist.
    for (const slot of known) if (!kept.has(slot)) slot.load?.giveWayTo(null);
    this.#forgetChanges();
    this.killSwitchFeed.reset(revision, previous);
    this.severityWatch.changedAll();
  }

  /** Applies the next revision. @throws when the event is not the next one or cannot be applied. */
  apply(event: ControlEvent): void {
    const { revision, org, change } = event;
    if (revision !== this.#revision + 1) {
      throw new Error(`control event ${String(revision)} does not follow ${String(this.#revision)}`);
    }
    const [killSwitches, policies] = [this.#killSwitches, this.#policies];
    const [severities, agents] = [this.#severities, this.#agents];
    const revisions = { first: revision, last: revision };
    const application = { killSwitches, policies, severities, agents, known: policies, revisions };
    const slotChanges = applyChange(org, change, application);
    this.#revision = revision;
    for (const slotChange of slotChanges) this.#takeEffect(slotChange);
    this.#forgetChanges();
    if (change.kind === "kill_switch") this.killSwitchFeed.add({ revision, org, record: change.record });
    if (change.kind === "severity") this.severityWatch.changed(org, change.record.agentId);
  }

  #takeEffect(slotChange: SlotChange): void {
    takeEffect(slotChange);
    if (slotChange.begins !== null) this.#loads.begin(slotChange.begins);
  }

  #forgetChanges(): void {
    if (this.#loads.pending === 0) this.#policies.forgetChanges();
  }
}
