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
}

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
  };
}
