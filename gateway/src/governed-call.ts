import { canonicalJson } from "@svc/contract/canonical-json";
import { digestOfText } from "@svc/contract/digest-of";
import { DEFAULT_NAMESPACE, type ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonObject } from "@svc/contract/json-value";
import type { Principal } from "@svc/contract/principal";
import type { KillTarget } from "./kill-switch-index.ts";

/** One call on its way through the pipeline: the request with every default filled in. Never changes. */
export interface PendingCall extends KillTarget {
  readonly principal: string;
  readonly args: JsonObject;
  /** RFC 8785 text of `args`. */
  readonly canonicalArgs: string;
  /** `sha256:` and hex of `canonicalArgs`. */
  readonly argsDigest: string;
  /** Micro-USD as the request named it; null when it named none. */
  readonly costMicroUsd: number | null;
  /** Monotonic milliseconds. */
  readonly receivedAtMs: number;
  /** Monotonic milliseconds by which the call is answered, whatever the store does. */
  readonly deadlineMs: number;
}

/**
 * Milliseconds from receipt within which a decision must be durable, or else the call is denied.
 * Below every proxy's own time-out, above any healthy disk.
 */
export const DECISION_DEADLINE_MS = 2_000;

export function pendingCall(
  principal: Principal,
  request: ExecuteRequest,
  receivedAtMs: number,
): PendingCall {
  const canonicalArgs = canonicalJson(request.args);
  return {
    org: principal.org,
    principal: principal.id,
    namespace: request.namespace ?? DEFAULT_NAMESPACE,
    agentId: request.agent_id,
    sessionId: request.session_id,
    tool: request.tool,
    args: request.args,
    canonicalArgs,
    argsDigest: digestOfText(canonicalArgs),
    costMicroUsd: request.cost_micro_usd,
    receivedAtMs,
    deadlineMs: receivedAtMs + DECISION_DEADLINE_MS,
  };
}
