import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Principal } from "@svc/contract/principal";
import type { TraceParent } from "@svc/contract/trace-parent";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import { namespaceOf, type RegisteredAgents } from "./agents/namespace-of.ts";
import type { ClaimedKey } from "./append/claimed-key.ts";
import { arePlainNames, type CallFacts } from "./call-facts.ts";
import { type CallContent, LocalArguments } from "./evaluate/call-content.ts";

/** A parsed request whose arguments are held elsewhere. */
export interface OpenedRequest extends Omit<ExecuteRequest, "args"> {
  readonly content: CallContent;
}

/** A request to decide: with its arguments, or with arguments that another thread holds. */
export type CallRequest = ExecuteRequest | OpenedRequest;

/** The id of the request that a call came in. It is made when it is first read: most calls need none. */
export interface RequestId {
  readonly text: string;
}

/** One call in the pipeline. Immutable. */
export interface PendingCall extends CallFacts {
  readonly content: CallContent;
  /** The idempotency key of the call, which its row takes; null when the caller gave none. */
  readonly key: ClaimedKey | null;
  readonly requestId: RequestId;
  /** Monotonic milliseconds. */
  readonly receivedAtMs: number;
  /** Monotonic milliseconds. The call is answered by then, whatever the store does. */
  readonly deadlineMs: number;
}

/**
 * Milliseconds from receipt within which a decision must be durable, or else the call is denied.
 * Below every proxy's own time-out, above any healthy disk.
 */
export const DECISION_DEADLINE_MS = 2_000;

/** A call as it came in. */
export interface ReceivedCall {
  readonly principal: Principal;
  readonly request: CallRequest;
  readonly requestId: RequestId;
  /**
   * The namespace that the binding of the key was compared with, where the call names none. The call is
   * decided there, also when its agent is moved meanwhile.
   */
  readonly boundNamespace?: string | undefined;
  /** The caller's place in a trace; absent when it named none. */
  readonly trace?: TraceParent | null;
}

/** The namespace in which a call is decided. */
export function namespaceOfCall(
  { principal, request, boundNamespace }: ReceivedCall,
  registered: RegisteredAgents,
): string {
  return boundNamespace ?? namespaceOf(registered, principal.org, request);
}

export function pendingCall(
  received: ReceivedCall,
  clock: MonotonicClock & WallClock,
  registered: RegisteredAgents,
): PendingCall {
  const { principal, request, requestId, trace = null } = received;
  const receivedAtMs = clock.nowMs();
  const namespace = namespaceOfCall(received, registered);
  const { agent_id: agentId, session_id: sessionId, tool } = request;
  return {
    org: principal.org,
    principal: principal.id,
    namespace,
    namesNamespace: request.namespace !== null,
    agentId,
    sessionId,
    tool,
    namesArePlain: arePlainNames({ namespace, agentId, sessionId, tool }),
    timeMs: clock.now().getTime(),
    costMicroUsd: request.cost_micro_usd,
    costIsTrusted: principal.scopes.has("outcome:refund"),
    traceId: trace === null ? null : trace.traceId,
    content: "content" in request ? request.content : new LocalArguments(request.args),
    key: null,
    requestId,
    receivedAtMs,
    deadlineMs: receivedAtMs + DECISION_DEADLINE_MS,
  };
}
