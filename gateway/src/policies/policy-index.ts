import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { LookAlikes } from "@svc/engine/look-alikes";
import { type NameLooks, noLooks } from "../check/name-looks.ts";
import { BindingChanges } from "./binding-changes.ts";
import type { LoadedPolicy } from "./loaded-policy.ts";
import type { PolicySlot } from "./policy-slot.ts";

/** A policy that this gateway cannot compile, as a log line names it. */
export interface UnloadablePolicy {
  readonly org: string;
  readonly policy_id: string;
  readonly detail: string;
}

export interface PolicySummary {
  readonly policies: number;
  /** Those whose latest version is not compiled yet. */
  readonly loading: number;
  /** Those whose agents are denied because no gateway can compile them. */
  readonly unloadable: readonly UnloadablePolicy[];
}

interface OrgPolicies {
  readonly byId: Map<string, PolicySlot>;
  readonly byAgent: Map<string, PolicyAssignmentRecord>;
  readonly byNamespace: Map<string, PolicyAssignmentRecord>;
  readonly changes: BindingChanges;
  /** The agents and namespaces that are bound, by what they look like. */
  readonly looks: NameLooks;
}

/** Policies and what they are bound to, of every organization, in memory. */
export class PolicyIndex {
  readonly #orgs = new Map<string, OrgPolicies>();

  setPolicy(org: string, id: string, slot: PolicySlot): void {
    this.#of(org).byId.set(id, slot);
  }

  /** The slot of a policy, whether it is bound or not; null when the policy is unknown. */
  slot(org: string, id: string): PolicySlot | null {
    return this.#orgs.get(org)?.byId.get(id) ?? null;
  }

  slots(): readonly PolicySlot[] {
    return [...this.#orgs.values()].flatMap(({ byId }) => [...byId.values()]);
  }

  setAssignment(org: string, record: PolicyAssignmentRecord, revision: number): void {
    const policies = this.#of(org);
    const { bound, looks, target } = bindingsFor(policies, record);
    if (!bound.has(target)) looks.add(target);
    bound.set(target, record);
    policies.changes.note(record, revision);
  }

  removeAssignment(org: string, record: PolicyAssignmentRecord, revision: number): void {
    const policies = this.#of(org);
    const { bound, looks, target } = bindingsFor(policies, record);
    if (bound.get(target)?.id !== record.id) return;
    bound.delete(target);
    looks.remove(target);
    policies.changes.note(record, revision);
  }

  /**
   * Takes over which bindings changed recently from the index before the snapshot. A binding that differs
   * from the one before changed with the snapshot.
   */
  followOn(before: PolicyIndex, revision: number): void {
    this.forgetChanges();
    for (const [org, earlier] of before.#orgs) {
      const { byAgent, byNamespace, changes } = this.#of(org);
      changes.followOn(earlier.changes);
      changes.noteDifferences(earlier.byAgent, byAgent, revision);
      changes.noteDifferences(earlier.byNamespace, byNamespace, revision);
    }
  }

  /** Forgets which bindings changed recently. Called when no policy is being compiled. */
  forgetChanges(): void {
    for (const { changes } of this.#orgs.values()) changes.clear();
  }

  /**
   * The policy of the agent's own binding, else of its namespace's; null when there is none. A bound policy
   * that is missing counts as unloadable. While a new version is compiled, the version before it governs the
   * agents that were bound before the change. That version never applied to any other agent, so for them the
   * policy is still loading.
   */
  policyFor(org: string, agentId: string, namespace: string): LoadedPolicy | null {
    const policies = this.#orgs.get(org);
    const assignment = policies?.byAgent.get(agentId) ?? policies?.byNamespace.get(namespace);
    if (policies === undefined || assignment === undefined) return null;
    const id = assignment.policy_id;
    const slot = policies.byId.get(id);
    if (slot === undefined)
      return { kind: "unloadable", id, version: 0, detail: "bound, but not known here" };
    const { inForce, load } = slot;
    if (load === null || inForce.kind !== "ready") return inForce;
    const ownBinding = policies.byAgent.has(agentId);
    const changedAt = ownBinding
      ? policies.changes.ofAgent(agentId)
      : policies.changes.ofEither(agentId, namespace);
    if (changedAt < load.firstRevision) return inForce;
    return { kind: "loading", id, version: load.policy.version };
  }

  summary(): PolicySummary {
    const known = [...this.#orgs].flatMap(([org, { byId }]) =>
      [...byId.values()].map((slot) => ({ org, slot })),
    );
    const unloadable = known.flatMap(({ org, slot: { inForce } }) =>
      inForce.kind === "unloadable" ? [{ org, policy_id: inForce.id, detail: inForce.detail }] : [],
    );
    const loading = known.filter(({ slot }) => slot.load !== null).length;
    return { policies: known.length, loading, unloadable };
  }

  /** At most `limit`. */
  unloadable(limit: number): readonly UnloadablePolicy[] {
    const found: UnloadablePolicy[] = [];
    for (const [org, { byId }] of this.#orgs)
      for (const { inForce } of byId.values()) {
        if (found.length >= limit) return found;
        if (inForce.kind === "unloadable") found.push({ org, policy_id: inForce.id, detail: inForce.detail });
      }
    return found;
  }

  /** The agents or namespaces of an organization that a policy is bound to. */
  boundNames(org: string, scope: "agent" | "namespace"): readonly string[] {
    const policies = this.#orgs.get(org);
    return [...((scope === "agent" ? policies?.byAgent : policies?.byNamespace)?.keys() ?? [])];
  }

  /** The agents and namespaces that policies are bound to, by what they look like. */
  looksOf(org: string): NameLooks | null {
    return this.#orgs.get(org)?.looks ?? null;
  }

  #of(org: string): OrgPolicies {
    let policies = this.#orgs.get(org);
    if (policies === undefined) {
      policies = {
        byId: new Map(),
        byAgent: new Map(),
        byNamespace: new Map(),
        changes: new BindingChanges(),
        looks: noLooks(),
      };
      this.#orgs.set(org, policies);
    }
    return policies;
  }
}

interface Bindings {
  readonly bound: Map<string, PolicyAssignmentRecord>;
  readonly looks: LookAlikes;
  readonly target: string;
}

function bindingsFor({ byAgent, byNamespace, looks }: OrgPolicies, record: PolicyAssignmentRecord): Bindings {
  return record.agent_id !== null
    ? { bound: byAgent, looks: looks.agent, target: record.agent_id }
    : { bound: byNamespace, looks: looks.namespace, target: requireNamespace(record) };
}

function requireNamespace(record: PolicyAssignmentRecord): string {
  if (record.namespace_id === null) throw new Error(`assignment ${record.id}: neither agent nor namespace`);
  return record.namespace_id;
}
