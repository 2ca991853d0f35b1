import type { PolicyAssignmentRecord } from "@svc/contract/policy-record";

type Bindings = ReadonlyMap<string, PolicyAssignmentRecord>;

/** When the bindings of one organization changed last, made or removed, for as long as that matters. */
export class BindingChanges {
  readonly #agents = new Map<string, number>();
  readonly #namespaces = new Map<string, number>();

  note({ agent_id, namespace_id }: PolicyAssignmentRecord, revision: number): void {
    if (agent_id !== null) this.#agents.set(agent_id, revision);
    else if (namespace_id !== null) this.#namespaces.set(namespace_id, revision);
  }

  /** Notes what is bound otherwise in one of two sets of bindings than in the other. */
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

  /** The revision at which an agent was bound or unbound last; 0: none is remembered. */
  ofAgent(agentId: string): number {
    return this.#agents.get(agentId) ?? 0;
  }

  /** The revision at which an agent or its namespace was bound or unbound last; 0: none is remembered. */
  ofEither(agentId: string, namespace: string): number {
    return Math.max(this.ofAgent(agentId), this.#namespaces.get(namespace) ?? 0);
  }

  clear(): void {
    this.#agents.clear();
    this.#namespaces.clear();
  }
}
