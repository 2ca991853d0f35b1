import type { RpcId } from "@svc/tool-calls/mcp-message";
import type { Caller } from "../headers/caller.ts";
import { FairEvictionMap } from "./fair-eviction-map.ts";
import { MAX_OPEN_REQUESTS } from "../limits.ts";
import type { RpcAnswer } from "../relay/server-message.ts";

/** What is done with an answer on its way to the client. @returns it, or what goes on in its place */
export type OnAnswer = (answer: RpcAnswer) => RpcAnswer;

/**
 * Requests whose streams can be resumed and brought no answer yet: it may come on the resumed one.
 * Past MAX_OPEN_REQUESTS the agent with the most loses its oldest: what answers that is dropped. Forgets all
 * at a restart.
 */
export class OpenRequests {
  readonly #open = new FairEvictionMap<OnAnswer>(MAX_OPEN_REQUESTS);

  /** @param onAnswer kept for long: it must hold on to nothing large */
  opened(caller: Caller, id: RpcId, onAnswer: OnAnswer): void {
    this.#open.set(caller.agentId, keyOf(caller, id), onAnswer);
  }

  /** Undefined: this caller has no such request open. Each can be taken once. */
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
