import type { JsonObject } from "@svc/contract/json-value";
import type { Caller } from "../headers/caller.ts";
import { FairEvictionMap } from "./fair-eviction-map.ts";
import type { Scope } from "../kills/scope.ts";
import { MAX_KEPT_ARGS_BYTES, MAX_OPEN_QUESTIONS } from "../limits.ts";

/** A judged call on whose stream a server asks its client something. */
export interface AskingCall {
  readonly scope: Scope;
  /** As they were judged. */
  readonly args: JsonObject;
}

/** What a server asked its client: `elicitation/create`, `sampling/createMessage`, ... */
export interface Question {
  readonly method: string;
  /** Null: it did not come on the stream of a judged call, so that nobody here knows what it is for. */
  readonly call: AskingCall | null;
}

/**
 * Questions of servers that their clients have not answered yet, by the session and agent on whose stream
 * each came. Past MAX_OPEN_QUESTIONS the agent with the most loses its oldest: its answer goes nowhere.
 * Forgets all at a restart.
 */
export class OpenQuestions {
  readonly #open = new FairEvictionMap<Question>(MAX_OPEN_QUESTIONS);

  asked(caller: Caller, id: unknown, question: Question): void {
    if (!isId(id)) return;
    const key = keyOf(caller, id);
    const earlier = this.#open.get(key);
    // A stream that is resumed brings a question again. Two calls that ask by one id cannot be told apart.
    const call = earlier === undefined ? kept(question.call) : sameCall(earlier, question, caller);
    this.#open.set(caller.agentId, key, { method: question.method, call });
  }

  /** The question that an answer is to; null: nobody asked this caller so. Each can be taken once. */
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

/** In a session an id is used once, so that the first to come with it is the one that asks. */
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
