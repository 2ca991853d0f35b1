import type { Verdict } from "@svc/contract/verdict";
import type { RpcErrorDocument } from "@svc/tool-calls/rpc-error";
import type { InterceptorOutput } from "../interceptor-output.ts";
import type { InterceptorSettings } from "../interceptor-settings.ts";

/** Settings of most tests: a fixed agent, no header believed. */
export const SETTINGS: InterceptorSettings = {
  identity: { agentId: "agent-1", namespace: null },
  agentHeader: null,
  toolNames: "dotted",
  strict: false,
};

export const CALL = {
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "payments___refund", arguments: { amount: 12 } },
};

export const ALLOW: Verdict = { decision: "allow", decision_id: "g.1", args_constrained: false };
export const SHAPED: Verdict = { ...ALLOW, args_constrained: true, shaped_args: { amount: 10 } };
export const DENY: Verdict = {
  decision: "deny",
  decision_id: "g.2",
  args_constrained: false,
  reason: "Refunds are closed.",
  reason_code: "rule",
  rule_id: "closed",
  fail_closed: false,
};
export const PAUSE: Verdict = {
  decision: "pause",
  decision_id: "g.3",
  args_constrained: false,
  reason: "A person must agree.",
  reason_code: "approval_required",
  approval_url: "https://svc.example/approvals/1",
};

export interface EventParts {
  readonly version?: unknown;
  /** Text of the body; the message as JSON unless said otherwise. */
  readonly raw?: unknown;
  /** Further or replacing members of `gatewayRequest`. */
  readonly request?: object;
  /** Further or replacing members of `mcp`. */
  readonly mcp?: object;
}

/** An event with everything that a gateway sends, also what it sends empty. */
export function eventOf(message: unknown = CALL, parts: EventParts = {}): unknown {
  const raw = "raw" in parts ? parts.raw : JSON.stringify(message);
  const fixed = { path: "/mcp", httpMethod: "POST", headers: {}, context: null };
  return {
    interceptorInputVersion: "version" in parts ? parts.version : "1.0",
    mcp: {
      rawGatewayRequest: { body: raw },
      gatewayRequest: { ...fixed, body: message, ...parts.request },
      gatewayResponse: null,
      ...parts.mcp,
    },
  };
}

/** The message that the gateway may run; null when it may not run anything. */
export function forwardedOf(output: InterceptorOutput): unknown {
  if (!("mcp" in output) || !("transformedGatewayRequest" in output.mcp)) return null;
  return output.mcp.transformedGatewayRequest.body;
}

/** The answer in the target's place; null when there is none. */
export function answeredOf(output: InterceptorOutput): RpcErrorDocument | null {
  if (!("mcp" in output) || !("transformedGatewayResponse" in output.mcp)) return null;
  return output.mcp.transformedGatewayResponse.body;
}
