import type { Verdict } from "@svc/contract/verdict";
import { isToolCall } from "./governed-call.ts";
import type { DenyForm } from "./mcp-proxy-settings.ts";
import { isStateless, type RpcId, type RpcRequest } from "./message.ts";

/** Numbers of our own errors, outside the range that JSON-RPC and MCP keep for themselves. */
export const DENIED = 403_001;
export const PAUSED = 202_001;
/** No verdict, or no answer: the proxy could not do its part. */
export const FAILED = 503_001;

/** A verdict that keeps a call from running. */
export type Refusal = Exclude<Verdict, { readonly decision: "allow" }>;

export interface RpcErrorDocument {
  readonly jsonrpc: "2.0";
  readonly id: RpcId | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: object };
}

interface RpcResultDocument {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly result: object;
}

/**
 * A refused call as its client is told. Always the answer to the very id, with status 200: other statuses end
 * the whole session of some clients, and an answer to another id leaves others waiting for ever.
 */
export function renderRefusal(
  request: RpcRequest,
  refusal: Refusal,
  form: DenyForm,
): RpcErrorDocument | RpcResultDocument {
  const message = messageOf(refusal);
  const data = dataOf(refusal);
  if (form === "error" || !isToolCall(request)) return rpcError(request.id, codeOf(refusal), message, data);
  const result = {
    content: [{ type: "text", text: message }],
    isError: true,
    _meta: { "svc/verdict": data },
    ...(isStateless(request) ? { resultType: "complete" } : {}),
  };
  return { jsonrpc: "2.0", id: request.id, result };
}

export function rpcError(id: RpcId | null, code: number, message: string, data?: object): RpcErrorDocument {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** Many clients show nothing but this text. */
function messageOf(refusal: Refusal): string {
  return refusal.decision === "pause"
    ? `${refusal.reason} Approve at ${refusal.approval_url}, then repeat the call.`
    : refusal.reason;
}

function codeOf(refusal: Refusal): number {
  if (refusal.decision === "pause") return PAUSED;
  return refusal.fail_closed ? FAILED : DENIED;
}

function dataOf(refusal: Refusal): object {
  const { decision, reason, reason_code, rule_id, decision_id } = refusal;
  return {
    decision,
    reason,
    reason_code,
    ...(rule_id === undefined ? {} : { rule_id }),
    ...(decision_id === undefined ? {} : { decision_id }),
    ...(decision === "pause"
      ? { approval_url: refusal.approval_url }
      : { fail_closed: refusal.fail_closed, ...killSwitchOf(refusal) }),
  };
}

function killSwitchOf({ kill_switch_id }: Extract<Refusal, { decision: "deny" }>): object {
  return kill_switch_id === undefined ? {} : { kill_switch_id };
}
