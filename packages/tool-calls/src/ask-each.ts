import type { Decide } from "@svc/contract/decide";
import { type PauseVerdict, type RefusalVerdict, shapedArgsOf, type Verdict } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { readCall, type WireCall } from "./read-call.ts";

/** A call that was answered with an allow. */
export interface AllowedCall {
  readonly decisionId: string;
  /** The rewritten arguments; null where they stay. */
  readonly shaped: JsonObject | null;
}

/** The gateway's answers to the calls of one message, joined into one. */
export type CallsAnswer =
  | {
      readonly kind: "allowed";
      /** One entry for each call, in their order. */
      readonly allowed: readonly AllowedCall[];
    }
  | {
      readonly kind: "blocked";
      readonly verdict: RefusalVerdict;
      /** Index of the call that the verdict is about, from 0. */
      readonly index: number;
      /** Calls that were allowed and do not run, because the message does not go on. */
      readonly allowed: readonly AllowedCall[];
    };

export interface AskEachOptions {
  readonly decide: Decide;
  readonly signal: AbortSignal;
}

/**
 * Asks about the calls of one message, in order. The first deny ends it. After a pause it asks about
 * the other calls first, because nobody can approve a message with a denied call. A message without
 * calls is allowed.
 */
export async function askEach(calls: readonly WireCall[], options: AskEachOptions): Promise<CallsAnswer> {
  const allowed: AllowedCall[] = [];
  let paused: { readonly verdict: PauseVerdict; readonly index: number } | null = null;
  for (const [index, call] of calls.entries()) {
    const verdict = await askCall(call, options);
    switch (verdict.decision) {
      case "deny":
        return { kind: "blocked", verdict, index, allowed };
      case "pause":
        paused ??= { verdict, index };
        break;
      case "allow":
        allowed.push({ decisionId: verdict.decision_id, shaped: shapedArgsOf(verdict) });
    }
  }
  return paused === null ? { kind: "allowed", allowed } : { kind: "blocked", ...paused, allowed };
}

async function askCall(call: WireCall, { decide, signal }: AskEachOptions): Promise<Verdict> {
  const question = readCall(call);
  return question.ok ? await decide(question.value, { signal }) : question.deny;
}
