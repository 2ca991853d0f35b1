import type { Entry } from "./session-table.ts";

/**
 * Sessions whose containment is not what their severity demands, by agent. Agents take turns, so one with
 * thousands of such sessions does not keep those of others waiting.
 */
export class Uncontained {
  readonly #agents = new Map<string, Set<Entry>>();

  /** Agents with their sessions, the one whose turn is longest ago first. */
  get agents(): Iterable<readonly [string, ReadonlySet<Entry>]> {
    return this.#agents;
  }

  add(entry: Entry): void {
    const agent = agentText(entry);
    const entries = this.#agents.get(agent);
    if (entries === undefined) this.#agents.set(agent, new Set([entry]));
    else entries.add(entry);
  }

  delete(entry: Entry): void {
    const agent = agentText(entry);
    const entries = this.#agents.get(agent);
    if (entries?.delete(entry) === true && entries.size === 0) this.#agents.delete(agent);
  }

  /** Lets the other agents go first. */
  noteTurn(agent: string): void {
    const entries = this.#agents.get(agent);
    if (entries === undefined) return;
    this.#agents.delete(agent);
    this.#agents.set(agent, entries);
  }
}

/** No name holds this character. */
function agentText({ session: { org, agentId } }: Entry): string {
  return `${org}\0${agentId}`;
}
