import type { PolicyAssignmentRecord } from "@svc/contract/policy-record";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";

/**
 * The latest version of a policy as this gateway holds it. What cannot be compiled stays known, and denies.
 */
export type LoadedPolicy =
  | {
      readonly kind: "ready";
      readonly version: number;
      readonly policy: CompiledPolicy;
      /** The document that `policy` was compiled from: another thread compiles the same from it. */
      readonly source: string;
    }
  | { readonly kind: "disabled"; readonly id: string; readonly version: number }
  | { readonly kind: "unloadable"; readonly id: string; readonly version: number; readonly detail: string };

/** A policy that this gateway cannot compile, as a log line names it. */
export interface UnloadablePolicy {
  readonly org: string;
  readonly policy_id: string;
  readonly detail: string;
}

interface OrgPolicies {
  readonly byId: Map<string, LoadedPolicy>;
  readonly byAgent: Map<string, PolicyAssignmentRecord>;
  readonly byNamespace: Map<string, PolicyAssignmentRecord>;
}

/** Latest policy versions and what they are bound to, of every organization, in memory. */
export class PolicyIndex {
  readonly #orgs = new Map<string, OrgPolicies>();

  setPolicy(org: string, id: string, loaded: LoadedPolicy): void {
    this.#of(org).byId.set(id, loaded);
  }

  /** The latest version of a policy, bound or not; null: not known. */
  policy(org: string, id: string): LoadedPolicy | null {
    return this.#orgs.get(org)?.byId.get(id) ?? null;
  }

  setAssignment(org: string, record: PolicyAssignmentRecord): void {
    const policies = this.#of(org);
    if (record.agent_id !== null) policies.byAgent.set(record.agent_id, record);
    else policies.byNamespace.set(requireNamespace(record), record);
  }

  removeAssignment(org: string, record: PolicyAssignmentRecord): void {
    const policies = this.#of(org);
    const [bound, target] =
      record.agent_id !== null
        ? [policies.byAgent, record.agent_id]
        : [policies.byNamespace, requireNamespace(record)];
    if (bound.get(target)?.id === record.id) bound.delete(target);
  }

  /**
   * The agent's own binding, else its namespace's; null: none. A bound policy that is missing counts as
   * unloadable.
   */
  policyFor(org: string, agentId: string, namespace: string): LoadedPolicy | null {
    const policies = this.#orgs.get(org);
    const assignment = policies?.byAgent.get(agentId) ?? policies?.byNamespace.get(namespace);
    if (policies === undefined || assignment === undefined) return null;
    const id = assignment.policy_id;
    return (
      policies.byId.get(id) ?? { kind: "unloadable", id, version: 0, detail: "bound, but not known here" }
    );
  }

  /** How many policies are known, and those whose agents are denied because no gateway can compile them. */
  summary(): { readonly policies: number; readonly unloadable: readonly UnloadablePolicy[] } {
    const known = [...this.#orgs].flatMap(([org, { byId }]) =>
      [...byId.values()].map((loaded) => ({ org, loaded })),
    );
    const unloadable = known.flatMap(({ org, loaded }) =>
      loaded.kind === "unloadable" ? [{ org, policy_id: loaded.id, detail: loaded.detail }] : [],
    );
    return { policies: known.length, unloadable };
  }

  /** The agents or namespaces of an organization that a policy is bound to. */
  boundNames(org: string, scope: "agent" | "namespace"): readonly string[] {
    const policies = this.#orgs.get(org);
    return [...((scope === "agent" ? policies?.byAgent : policies?.byNamespace)?.keys() ?? [])];
  }

  #of(org: string): OrgPolicies {
    let policies = this.#orgs.get(org);
    if (policies === undefined) {
      policies = { byId: new Map(), byAgent: new Map(), byNamespace: new Map() };
      this.#orgs.set(org, policies);
    }
    return policies;
  }
}

function requireNamespace(record: PolicyAssignmentRecord): string {
  if (record.namespace_id === null) throw new Error(`assignment ${record.id}: neither agent nor namespace`);
  return record.namespace_id;
}
