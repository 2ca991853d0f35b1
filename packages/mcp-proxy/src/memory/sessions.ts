import type { Caller } from "../headers/caller.ts";
import { MAX_SESSIONS } from "../limits.ts";
import { BloomFilter } from "./bloom-filter.ts";
import { FairEvictionMap } from "./fair-eviction-map.ts";

/** The agent that a server gave a session to. */
export interface SessionOwner {
  readonly agentId: string | null;
  /** Whether its client said that it can send its user to an address. */
  readonly opensUrls: boolean;
}

/**
 * MCP sessions: which agent a server gave each to, and in which ones a kill switch stopped a call. Past
 * MAX_SESSIONS the agent with the most loses its oldest, which no agent may use from then on.
 */
export class Sessions {
  readonly #lost = new BloomFilter();
  readonly #killed = new BloomFilter();
  readonly #owners = new FairEvictionMap<SessionOwner>(MAX_SESSIONS, (mcpSession) =>
    this.#lost.add(mcpSession),
  );

  /**
   * Remembers that the server gave this session to this agent. The first owner keeps it even after it ended:
   * a server may continue a session that its client has ended.
   */
  began(mcpSession: string, owner: SessionOwner): void {
    const isTaken = this.#owners.get(mcpSession) !== undefined || this.#lost.has(mcpSession);
    if (!isTaken) this.#owners.set(owner.agentId, mcpSession, owner);
  }

  /** Whether the proxy saw the session begin and still knows its owner. */
  isKnown(caller: Caller): boolean {
    return this.#ownerOf(caller) !== undefined;
  }

  /** False without a session, and for one that began before the proxy started. */
  opensUrls(caller: Caller): boolean {
    return this.#ownerOf(caller)?.opensUrls ?? false;
  }

  /** Whether the session belongs to another agent, or its owner was forgotten. */
  isForeign(caller: Caller): boolean {
    const owner = this.#ownerOf(caller);
    if (owner !== undefined) return owner.agentId !== caller.agentId;
    return caller.mcpSession !== null && this.#lost.has(caller.mcpSession);
  }

  #ownerOf({ mcpSession }: Caller): SessionOwner | undefined {
    return mcpSession === null ? undefined : this.#owners.get(mcpSession);
  }

  callKilled({ mcpSession, agentId }: Caller): void {
    if (mcpSession !== null) this.#killed.add(mcpSession);
    // A server may resume a stream by the event id alone, whatever session the client names.
    this.#killed.add(withoutSession(agentId));
  }

  /** Whether a client could fetch the result of a killed call by resuming a stream. */
  holdsKilledCall({ mcpSession, agentId }: Caller): boolean {
    return this.#killed.has(mcpSession ?? withoutSession(agentId));
  }
}

/** All streams of an agent without a session share one key, which can only refuse more. */
function withoutSession(agentId: string | null): string {
  // A session id has no space, so this cannot equal one.
  return ` ${agentId ?? ""}`;
}
