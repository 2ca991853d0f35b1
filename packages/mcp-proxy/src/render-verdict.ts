import { isStateless, type RpcId, type RpcRequest } from "@svc/contract/mcp-message";
import {
  type Refusal,
  type RpcErrorDocument,
  refusalData,
  refusalError,
  refusalMessage,
} from "@svc/contract/mcp-refusal";
import { isToolCall } from "@svc/decision-client/mcp-call";
import type { DenyForm } from "./mcp-proxy-settings.ts";

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
  if (form === "error" || !isToolCall(request)) return refusalError(request.id, refusal);
  const result = {
    content: [{ type: "text", text: refusalMessage(refusal) }],
    isError: true,
    _meta: { "svc/verdict": refusalData(refusal) },
    ...(isStateless(request) ? { resultType: "complete" } : {}),
  };
  return { jsonrpc: "2.0", id: request.id, result };
}
