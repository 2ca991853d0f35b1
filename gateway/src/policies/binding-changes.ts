import type { PolicyAssignmentRecord } from "@svc/contract/policy";

type Bindings = ReadonlyMap<string, PolicyAssignmentRecord>;

/**
 * The revision at which each binding of one organization was last made or removed, kept while a policy
 * is being compiled.
 */
export class BindingChanges {
  readonly #agents = new Map<string, number>();
  readonly #namespaces = new Map<string, number>();

  note({ agent_id, namespace_id }: PolicyAssignmentRecord, revision: number): void {
    if (agent_id !== null) this.#agents.set(agent_id, revision);
    else if (namespace_id !== null) this.#namespaces.set(namespace_id, revision);
  }

  /** Notes every target whose binding differs between the two sets. */
  noteDifferences(before: Bindings, after: Bindings, revision: number): void {
    for (const [name, record] of before) {
      if (after.get(name)?.id !== record.id) this.note(record, revision);
    }
    for (const [name, record] of after) {
      if (!before.has(name)) this.note(record, revision);
    }
  }

  followOn(before: BindingChanges): void {
    for (const [name, revision] of before.#agents) this.#agents.set(name, revision);
    for (const [name, revision] of before.#namespaces) this.#namespaces.set(name, revision);
  }

  /** The revision at which an agent was last bound or unbound; 0 when none is remembered. */
  ofAgent(agentId: string): number {
    return this.#agents.get(agentId) ?? 0;
  }

  /** The revision at which an agent or its namespace was last bound or unbound; 0 when none is remembered. */
  ofEither(agentId: string, namespace: string): number {
    return Math.max(this.ofAgent(agentId), this.#namespaces.get(namespace) ?? 0);
  }

  clear(): void {
    this.#agents.clear();
    this.#namespaces.clear();
  }
}
