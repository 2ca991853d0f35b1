import { BoundedMap } from "./bounded-map.ts";
import type { Caller } from "./caller.ts";
import { MAX_SESSIONS } from "./limits.ts";

/**
 * What is known of MCP sessions: to whom a server gave one, and in which ones a call was killed. Forgets the
 * oldest past MAX_SESSIONS, and all at a restart.
 */
export class Sessions {
  readonly #owners = new BoundedMap<string | null>(MAX_SESSIONS);
  readonly #killed = new BoundedMap<true>(MAX_SESSIONS);

  /** The server gave this session to this agent. Who was given it first keeps it. */
  began(mcpSession: string, agentId: string | null): void {
    if (this.#owners.get(mcpSession) === undefined) this.#owners.set(mcpSession, agentId);
  }

  /** Whether the session began here, and to whom it was given is known. */
  isKnown({ mcpSession }: Caller): boolean {
    return mcpSession !== null && this.#owners.get(mcpSession) !== undefined;
  }

  ended({ mcpSession }: Caller): void {
    if (mcpSession !== null) this.#owners.delete(mcpSession);
  }

  /** Whether the session was given to somebody else. */
  isForeign({ mcpSession, agentId }: Caller): boolean {
    const owner = mcpSession === null ? undefined : this.#owners.get(mcpSession);
    return owner !== undefined && owner !== agentId;
  }

  callKilled({ mcpSession, agentId }: Caller): void {
    if (mcpSession !== null) this.#killed.set(mcpSession, true);
    // A server may resume by the event alone, whatever session a client names, or none.
    this.#killed.set(withoutSession(agentId), true);
  }

  /** Whether the server may still hold the result of a killed call, to be fetched by resuming a stream. */
  holdsKilledCall({ mcpSession, agentId }: Caller): boolean {
    return this.#killed.get(mcpSession ?? withoutSession(agentId)) !== undefined;
  }
}

/** All conversations of an agent without a session count as one, which only ever refuses more. */
function withoutSession(agentId: string | null): string {
  // The name of a session has no space.
  return ` ${agentId ?? ""}`;
}
