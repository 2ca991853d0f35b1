import type { Caller } from "./caller.ts";
import { BoundedMap } from "./bounded-map.ts";
import { MAX_SESSIONS } from "./limits.ts";

/**
 * What is known of MCP sessions: to whom a server gave one, and in which ones a call was killed. Forgets the
 * oldest past MAX_SESSIONS, and all at a restart.
 */
export class Sessions {
  readonly #owners = new BoundedMap<string | null>(MAX_SESSIONS);
  readonly #killed = new BoundedMap<true>(MAX_SESSIONS);

  /** The server gave this session to this agent. */
  began(mcpSession: string, agentId: string | null): void {
    this.#owners.set(mcpSession, agentId);
  }

  ended({ mcpSession }: Caller): void {
    if (mcpSession !== null) this.#owners.delete(mcpSession);
  }

  /** Whether the session was given to somebody else. */
  isForeign({ mcpSession, agentId }: Caller): boolean {
    const owner = mcpSession === null ? undefined : this.#owners.get(mcpSession);
    return owner !== undefined && owner !== agentId;
  }

  callKilled(caller: Caller): void {
    this.#killed.set(keyOf(caller), true);
  }

  /** Whether the server may still hold the result of a killed call, to be fetched by resuming a stream. */
  holdsKilledCall(caller: Caller): boolean {
    return this.#killed.get(keyOf(caller)) !== undefined;
  }
}

function keyOf({ mcpSession, agentId }: Caller): string {
  // All conversations of an agent without a session count as one, which only ever refuses more. A session has
  // no space.
  return mcpSession ?? ` ${agentId ?? ""}`;
}
