import type { BehaviourSettings } from "@svc/contract/behaviour";
import { AgentBehaviour, type CallHistory } from "./agent-behaviour.ts";
import type { ObservedAnomaly, ObservedCall } from "./observed-call.ts";

/**
 * Agents that are watched at once, as count: below 1 GiB if each is as large as it can be, and some 40 MB
 * as agents are. The one that called longest ago is forgotten, and read again when it calls.
 */
const MAX_AGENTS = 10_000;

/**
 * Milliseconds before now within which a row counts. An index that is built again reads all rows, and an
 * anomaly of last year is not news.
 */
const NEWS_MS = 10 * 60_000;

export interface BehaviourParts {
  readonly nowMs: () => number;
  readonly settingsOf: (org: string, namespace: string) => BehaviourSettings;
  /** What the agent had called before this call. */
  readonly historyOf: (call: ObservedCall) => Promise<CallHistory>;
}

/** Looks at the calls of every agent in the order of their rows, and says which are unusual. */
export class BehaviourWatch {
  readonly #parts: BehaviourParts;
  readonly #agents = new Map<string, AgentBehaviour>();

  constructor(parts: BehaviourParts) {
    this.#parts = parts;
  }

  async note(call: ObservedCall): Promise<readonly ObservedAnomaly[]> {
    const { nowMs, settingsOf, historyOf } = this.#parts;
    if (call.atMs < nowMs() - NEWS_MS) return [];
    // No identifier contains a space.
    const key = `${call.org} ${call.agentId}`;
    const agent = this.#agents.get(key) ?? new AgentBehaviour(await historyOf(call));
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    if (this.#agents.size > MAX_AGENTS) {
      const [oldest] = this.#agents.keys();
      if (oldest !== undefined) this.#agents.delete(oldest);
    }
    return agent.note(call, settingsOf(call.org, call.namespace));
  }
}
