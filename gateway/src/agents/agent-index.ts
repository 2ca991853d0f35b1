import type { GovernedAgent } from "@svc/store/ports/governed-agent";
import { type NameLooks, noLooks } from "../check/name-looks.ts";

/** Registered agents of every organization in memory. A lookup costs the same at 10 and at 100,000 agents. */
export class AgentIndex {
  readonly #orgs = new Map<string, Map<string, GovernedAgent>>();
  readonly #looks = new Map<string, NameLooks>();

  apply(org: string, record: GovernedAgent, removed: boolean): void {
    let agents = this.#orgs.get(org);
    if (agents === undefined) {
      agents = new Map();
      this.#orgs.set(org, agents);
    }
    this.#note(org, agents.get(record.id) ?? null, removed ? null : record);
    if (removed) agents.delete(record.id);
    else agents.set(record.id, record);
  }

  /** The agents that are registered, and the namespaces in which they are, by what they look like. */
  looksOf(org: string): NameLooks | null {
    return this.#looks.get(org) ?? null;
  }

  #note(org: string, before: GovernedAgent | null, after: GovernedAgent | null): void {
    let looks = this.#looks.get(org);
    if (looks === undefined) {
      looks = noLooks();
      this.#looks.set(org, looks);
    }
    if (after !== null) {
      looks.agent.add(after.id);
      looks.namespace.add(after.namespace);
    }
    if (before !== null) {
      looks.agent.remove(before.id);
      looks.namespace.remove(before.namespace);
    }
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
