import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { compilePolicy } from "@svc/engine/compile-policy";
import type { ControlChange, ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import { KillSwitchFeed } from "./kill-switch-feed.ts";
import { KillSwitchIndex, type KillTarget } from "./kill-switch-index.ts";
import { type LoadedPolicy, PolicyIndex } from "./policy-index.ts";

/**
 * What this gateway knows of kill switches and policies, as of one revision.
 * Everything is worked out when a change arrives (policies are compiled here), nothing when a call does.
 */
export class ControlState {
  #revision = 0;
  #killSwitches = new KillSwitchIndex();
  #policies = new PolicyIndex();
  /** Changes of kill switches, for who follows them outside of this process. */
  readonly killSwitchFeed = new KillSwitchFeed();

  /** The last revision that has been applied whole. */
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

  policySummary(): ReturnType<PolicyIndex["summary"]> {
    return this.#policies.summary();
  }

  /** The agents or namespaces of an organization that a policy is bound to. */
  boundNames(org: string, scope: "agent" | "namespace"): readonly string[] {
    return this.#policies.boundNames(org, scope);
  }

  /** Replaces everything. Built aside and swapped, so that a fault half-way leaves the old state whole. */
  load(snapshot: ControlSnapshot): void {
    const killSwitches = new KillSwitchIndex();
    const policies = new PolicyIndex();
    const known = this.#policies;
    for (const { org, change } of snapshot.changes)
      applyChange({ org, change, killSwitches, policies, known });
    this.#killSwitches = killSwitches;
    this.#policies = policies;
    this.#revision = snapshot.revision;
    this.killSwitchFeed.reset(snapshot.revision);
  }

  /** Applies the next revision. @throws when the event is not the next one or cannot be applied. */
  apply(event: ControlEvent): void {
    if (event.revision !== this.#revision + 1) {
      throw new Error(`control event ${String(event.revision)} does not follow ${String(this.#revision)}`);
    }
    const { org, change } = event;
    const [killSwitches, policies] = [this.#killSwitches, this.#policies];
    applyChange({ org, change, killSwitches, policies, known: policies });
    this.#revision = event.revision;
    if (change.kind === "kill_switch")
      this.killSwitchFeed.add({ revision: event.revision, org, record: change.record });
  }
}

interface Application {
  readonly org: string;
  readonly change: ControlChange;
  readonly killSwitches: KillSwitchIndex;
  readonly policies: PolicyIndex;
  /** What has been in force until now. */
  readonly known: PolicyIndex;
}

function applyChange({ org, change, killSwitches, policies, known }: Application): void {
  switch (change.kind) {
    case "kill_switch":
      killSwitches.apply(org, change.record);
      return;
    case "policy":
      policies.setPolicy(org, change.policyId, loadPolicy(change, known.policy(org, change.policyId)));
      return;
    case "assignment":
      if (change.removed) policies.removeAssignment(org, change.record);
      else policies.setAssignment(org, change.record);
      return;
    default:
      throw new Error(`unknown control change ${JSON.stringify(change satisfies never)}`);
  }
}

/**
 * A document that this gateway cannot compile (written by a newer control plane, say) denies its agents'
 * calls. A version that is in force is not compiled again: a snapshot names every policy, and calls wait
 * while they are compiled.
 */
function loadPolicy(change: ControlChange & { kind: "policy" }, known: LoadedPolicy | null): LoadedPolicy {
  const { policyId: id, version, source } = change;
  if (!change.enabled) return { kind: "disabled", id, version };
  // The document counts, too: after a restored backup a version can say something else than before.
  if (known?.kind === "ready" && known.version === version && known.source === source) return known;
  const compiled = compilePolicy(source);
  if (compiled.ok) return { kind: "ready", version, policy: compiled.policy, source };
  return { kind: "unloadable", id, version, detail: compiled.diagnostics[0]?.message ?? "refused" };
}
