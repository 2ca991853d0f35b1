import type { Caller } from "../headers/caller.ts";
import { FairEvictionMap } from "./fair-eviction-map.ts";
import { BloomFilter } from "./bloom-filter.ts";
import { MAX_SESSIONS } from "../limits.ts";

/** To whom a server gave a session. */
export interface SessionOwner {
  readonly agentId: string | null;
  /** Whether its client said that its user can be sent to an address. */
  readonly opensUrls: boolean;
}

/**
 * What is known of MCP sessions: to whom a server gave one, and in which ones a call was killed. Past
 * MAX_SESSIONS the agent with the most loses its oldest: that one is nobody's from then on. Forgets all at a
 * restart.
 */
export class Sessions {
  readonly #lost = new BloomFilter();
  readonly #killed = new BloomFilter();
  readonly #owners = new FairEvictionMap<SessionOwner>(MAX_SESSIONS, (mcpSession) =>
    this.#lost.add(mcpSession),
  );

  /**
   * The server gave this session to this agent. Who was given it first keeps it, also past its end: a server
   * may go on with a session that its client has ended.
   */
  began(mcpSession: string, owner: SessionOwner): void {
    const isTaken = this.#owners.get(mcpSession) !== undefined || this.#lost.has(mcpSession);
    if (!isTaken) this.#owners.set(owner.agentId, mcpSession, owner);
  }

  /** Whether the session began here, and to whom it was given is known. */
  isKnown(caller: Caller): boolean {
    return this.#ownerOf(caller) !== undefined;
  }

  /** False for a session from before the start, and without one. */
  opensUrls(caller: Caller): boolean {
    return this.#ownerOf(caller)?.opensUrls ?? false;
  }

  /** Whether the session was given to somebody else, or to somebody who is not known any more. */
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
    // A server may resume by the event alone, whatever session a client names, or none.
    this.#killed.add(withoutSession(agentId));
  }

  /** Whether the server may still hold the result of a killed call, to be fetched by resuming a stream. */
  holdsKilledCall({ mcpSession, agentId }: Caller): boolean {
    return this.#killed.has(mcpSession ?? withoutSession(agentId));
  }
}

/** All conversations of an agent without a session count as one, which only ever refuses more. */
function withoutSession(agentId: string | null): string {
  // The name of a session has no space.
  return ` ${agentId ?? ""}`;
}
