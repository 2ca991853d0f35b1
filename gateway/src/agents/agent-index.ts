import type { GovernedAgent } from "@svc/store/ports/governed-agent";

/** Registered agents of every organization in memory. A lookup costs the same at 10 and at 100,000 agents. */
export class AgentIndex {
  readonly #orgs = new Map<string, Map<string, GovernedAgent>>();

  apply(org: string, record: GovernedAgent, removed: boolean): void {
    let agents = this.#orgs.get(org);
    if (agents === undefined) {
      agents = new Map();
      this.#orgs.set(org, agents);
    }
    if (removed) agents.delete(record.id);
    else agents.set(record.id, record);
  }

  /** Null: nobody registered the agent. */
  find(org: string, agentId: string): GovernedAgent | null {
    return this.#orgs.get(org)?.get(agentId) ?? null;
  }

  /** All organizations together. */
  get size(): number {
    let size = 0;
    for (const agents of this.#orgs.values()) size += agents.size;
    return size;
  }
}
