import type { BehaviourSettings } from "@svc/contract/behaviour";
import { AgentBehaviour, type CallHistory } from "./agent-behaviour.ts";
import type { ObservedAnomaly } from "./observed-anomaly.ts";
import type { ObservedCall } from "./observed-call.ts";

/** How much is remembered, as counts. The agent that called longest ago is forgotten first. */
interface WatchLimits {
  readonly agents: number;
  /** Calls and tools of all agents together. */
  readonly remembered: number;
}

/** Below 100 MiB, whatever the agents call. */
const LIMITS: WatchLimits = { agents: 10_000, remembered: 100_000 };

export interface BehaviourParts {
  readonly settingsOf: (org: string, namespace: string) => BehaviourSettings;
  /** What the agent had called before this call. */
  readonly historyOf: (call: ObservedCall) => Promise<CallHistory>;
  /** A test may lower them. */
  readonly limits?: WatchLimits;
}

/** Looks at the calls of every agent in the order of their rows, and says which are unusual. */
export class BehaviourWatch {
  readonly #parts: BehaviourParts;
  readonly #agents = new Map<string, AgentBehaviour>();
  #remembered = 0;

  constructor(parts: BehaviourParts) {
    this.#parts = parts;
  }

  /** Agents that are remembered. */
  get agents(): number {
    return this.#agents.size;
  }

  /** Calls and tools that are remembered. */
  get remembered(): number {
    return this.#remembered;
  }

  /**
   * An agent that was forgotten begins anew, with its tools from the history. So nothing is unusual about it
   * that is not unusual about what it did since.
   */
  async note(call: ObservedCall): Promise<readonly ObservedAnomaly[]> {
    const found = this.noteKnown(call);
    if (found !== null) return found;
    return this.#note(call, new AgentBehaviour(await this.#parts.historyOf(call)), 0);
  }

  /** The same, at once. @returns null, and notes nothing, when the agent of the call is not remembered */
  noteKnown(call: ObservedCall): readonly ObservedAnomaly[] | null {
    const key = keyOf(call);
    const agent = this.#agents.get(key);
    if (agent === undefined) return null;
    this.#agents.delete(key);
    return this.#note(call, agent, agent.size);
  }

  #note(call: ObservedCall, agent: AgentBehaviour, sizeBefore: number): readonly ObservedAnomaly[] {
    this.#agents.set(keyOf(call), agent);
    const found = agent.note(call, this.#parts.settingsOf(call.org, call.namespace));
    this.#remembered += agent.size - sizeBefore;
    this.#forget();
    return found;
  }

  #forget(): void {
    const { agents, remembered } = this.#parts.limits ?? LIMITS;
    for (const [key, agent] of this.#agents) {
      if (this.#agents.size <= agents && this.#remembered <= remembered) return;
      this.#agents.delete(key);
      this.#remembered -= agent.size;
    }
  }
}

/** The id of an organization has no space. */
function keyOf({ org, agentId }: ObservedCall): string {
  return `${org} ${agentId}`;
}
