import { shapedArgsOf, type Verdict } from "@svc/contract/verdict";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import type { SeamCall } from "./seam.ts";

/** The caller of every message, whose policy counts nothing: what one call says depends on no other. */
export const CALLER = { agent: "clerk", session: null, namespace: null } as const;

export interface MessageCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** A call that the policy of the caller allows as it is: every field that a rule could read is there. */
export const HARMLESS: MessageCall = { tool: "crm.read", args: { text: "hi", tags: ["b"] } };

/** What can be seen of the verdict on a whole message. */
export interface ObservedMessage {
  readonly decision: string;
  readonly reasonCode: string | null;
  /** Canonical JSON of the arguments that each call runs with; null: the message is stopped. */
  readonly args: readonly string[] | null;
}

/** One way for an answer of a model with several calls. */
export interface MessageSeam {
  readonly name: string;
  /** Whether rewritten arguments go back into the answer; where they do not, the answer is denied. */
  readonly carriesRewrites: boolean;
  /** @param env further settings of the adapter */
  open(gatewayUrl: string, env?: Readonly<Record<string, string>>): Promise<OpenMessageSeam>;
}

export interface OpenMessageSeam {
  ask(calls: readonly MessageCall[]): Promise<ObservedMessage>;
  close(): Promise<unknown>;
}

/** The calls of a message as single ones, to be ruled on in process. */
export function singleCalls(calls: readonly MessageCall[]): readonly SeamCall[] {
  return calls.map((call, index) => ({ ...CALLER, ...call, index, costUsd: null }));
}

/** The first deny counts, then the first pause. A message whose calls are all allowed continues with them. */
export function expectedOf(
  calls: readonly MessageCall[],
  verdicts: readonly Verdict[],
  { carriesRewrites }: Pick<MessageSeam, "carriesRewrites">,
): ObservedMessage {
  const args: string[] = [];
  let paused: ObservedMessage | null = null;
  let isRewritten = false;
  for (const [index, verdict] of verdicts.entries()) {
    switch (verdict.decision) {
      case "deny":
        return refused("deny", verdict.reason_code);
      case "pause":
        paused ??= refused("pause", verdict.reason_code);
        break;
      case "allow":
        isRewritten ||= verdict.args_constrained;
        args.push(canonicalJson(shapedArgsOf(verdict) ?? calls[index]?.args ?? {}));
    }
  }
  if (paused !== null) return paused;
  return isRewritten && !carriesRewrites ? refused("deny", "shaping_unsupported") : wentOn(args);
}

export function refused(decision: string, reasonCode: string): ObservedMessage {
  return { decision, reasonCode, args: null };
}

/** @param args of each call, in any JSON form */
export function wentOn(args: readonly string[]): ObservedMessage {
  const canonical = args.map((text) => canonicalJson(JSON.parse(text) as JsonObject));
  return { decision: "allow", reasonCode: null, args: canonical };
}
