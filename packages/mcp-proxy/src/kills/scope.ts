import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { JsonObject } from "@svc/text/json-value";
import { sessionNames, sessionOfHeaders } from "@svc/tool-calls/mcp-session";
import type { Caller } from "../headers/caller.ts";

/** What a kill switch has to name to stop a running call or an open stream. */
export interface Scope {
  readonly agentId: string | null;
  /** Null: the request names none, so only the gateway knows it. */
  readonly namespace: string | null;
  readonly sessionId: string | null;
  /** Other names that the same request gives its session. A switch for any of them stops it too. */
  readonly sessionNames?: readonly string[];
  /** Null for a stream or a request that is not a call: it may carry the answers of any tool. */
  readonly tool: string | null;
}

/** The scope of a stream, or of a request that is not a call. */
export function callerScope(caller: Caller, params: JsonObject = {}): Scope {
  const { agentId, namespace } = caller;
  const names = sessionNames(caller, params);
  return { agentId, namespace, sessionId: sessionOfHeaders(caller), sessionNames: names, tool: null };
}

/** A scope that only switches of these sessions, and account-wide ones, stop. */
export function sessionScope(names: readonly string[]): Scope {
  // The empty name matches no namespace, whereas null would match every one.
  return { agentId: null, namespace: "", sessionId: null, tool: null, sessionNames: names };
}

/**
 * The same scope with the namespace that the gateway is assumed to give it. This is a guess, made here alone:
 * no verdict and no feed says yet which namespace a call without one got, and today the gateway always takes
 * DEFAULT_NAMESPACE. The guess decides only whether something that the gateway does not judge may begin. A
 * running call without a namespace is stopped by a switch of any namespace instead. Once agents have
 * namespaces of their own, the verdict must carry the namespace and this function must go.
 */
export function withAssumedNamespace(scope: Scope): Scope {
  return { ...scope, namespace: scope.namespace ?? DEFAULT_NAMESPACE };
}
