import type { RpcId } from "@svc/tool-calls/mcp-message";
import type { Caller } from "../headers/caller.ts";
import { MAX_OPEN_REQUESTS } from "../limits.ts";
import type { RpcAnswer } from "../relay/server-message.ts";
import { FairEvictionMap } from "./fair-eviction-map.ts";

/** Sees an answer before the client. @returns the answer, or what the client gets in its place */
export type OnAnswer = (answer: RpcAnswer) => RpcAnswer;

/**
 * Requests without an answer whose streams can be resumed: the answer may come on the resumed stream. Past
 * MAX_OPEN_REQUESTS the agent with the most loses its oldest, and the answer to that one is dropped.
 */
export class OpenRequests {
  readonly #open = new FairEvictionMap<OnAnswer>(MAX_OPEN_REQUESTS);

  /** @param onAnswer may be kept for long, so it must not hold on to anything large */
  opened(caller: Caller, id: RpcId, onAnswer: OnAnswer): void {
    this.#open.set(caller.agentId, keyOf(caller, id), onAnswer);
  }

  /** Takes the request with this id, once; undefined when this caller has no such open request. */
  take(caller: Caller, id: unknown): OnAnswer | undefined {
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    const key = keyOf(caller, id);
    const onAnswer = this.#open.get(key);
    this.#open.delete(key);
    return onAnswer;
  }
}

function keyOf({ mcpSession, agentId }: Caller, id: RpcId): string {
  return JSON.stringify([mcpSession, agentId, id]);
}
