import type { JsonObject } from "@svc/text/json-value";
import type { Caller } from "../headers/caller.ts";
import type { Scope } from "../kills/scope.ts";
import { MAX_KEPT_ARGS_BYTES, MAX_OPEN_QUESTIONS } from "../limits.ts";
import { FairEvictionMap } from "./fair-eviction-map.ts";

/** A judged call on whose stream a server asks its client. */
export interface AskingCall {
  readonly scope: Scope;
  /** The arguments that were judged. */
  readonly args: JsonObject;
}

/** A question of a server to its client. */
export interface Question {
  /** `elicitation/create`, `sampling/createMessage`, ... */
  readonly method: string;
  /**
   * Null when the question did not come on the stream of a judged call, so the proxy does not know
   * which call asks.
   */
  readonly call: AskingCall | null;
}

/**
 * Questions of servers that their clients have not answered yet, by the session and agent of the stream. Past
 * MAX_OPEN_QUESTIONS the agent with the most loses its oldest, and an answer to that one is refused.
 */
export class OpenQuestions {
  readonly #open = new FairEvictionMap<Question>(MAX_OPEN_QUESTIONS);

  asked(caller: Caller, id: unknown, question: Question): void {
    if (!isId(id)) return;
    const key = keyOf(caller, id);
    const earlier = this.#open.get(key);
    // A resumed stream repeats a question. Two calls that ask with the same id cannot be distinguished.
    const call = earlier === undefined ? kept(question.call) : sameCall(earlier, question, caller);
    this.#open.set(caller.agentId, key, { method: question.method, call });
  }

  /** Takes the question with this id, once; null when this caller was not asked. */
  take(caller: Caller, id: unknown): Question | null {
    if (!isId(id)) return null;
    const key = keyOf(caller, id);
    const question = this.#open.get(key);
    this.#open.delete(key);
    return question ?? null;
  }
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}

/** Within a session a server uses an id once, so the first call with the id is the one that asks. */
function sameCall(earlier: Question, { method, call }: Question, { mcpSession }: Caller): AskingCall | null {
  if (mcpSession !== null && earlier.method === method) return earlier.call;
  return earlier.method === method && earlier.call?.scope === call?.scope ? earlier.call : null;
}

function kept(call: AskingCall | null): AskingCall | null {
  const isLarge = call !== null && Buffer.byteLength(JSON.stringify(call.args)) > MAX_KEPT_ARGS_BYTES;
  return isLarge ? { ...call, args: {} } : call;
}

function keyOf({ mcpSession, agentId }: Caller, id: string | number): string {
  return JSON.stringify([mcpSession, agentId, id]);
}
