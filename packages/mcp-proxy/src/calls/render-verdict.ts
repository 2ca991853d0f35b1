import { isStateless, type RpcId, type RpcRequest } from "@svc/tool-calls/mcp-message";
import {
  FAILED,
  type Refusal,
  type RpcErrorDocument,
  refusalData,
  refusalError,
  refusalMessage,
  rpcError,
} from "@svc/tool-calls/mcp-refusal";
import { isToolCall } from "@svc/tool-calls/mcp-call";
import type { DenyForm } from "../mcp-proxy-settings.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";

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
  return failedResult(request, refusalMessage(refusal), { "svc/verdict": refusalData(refusal) });
}

/** A request that was allowed and whose server gave no answer; what became of it is not known here. */
export function renderFailure(
  request: RpcRequest,
  { code, reason }: UpstreamFailure,
  form: DenyForm,
): RpcErrorDocument | RpcResultDocument {
  const data = { reason, reason_code: code };
  if (form === "error" || !isToolCall(request)) return rpcError(request.id, FAILED, reason, data);
  return failedResult(request, reason, { "svc/failure": data });
}

/** The result of a tool that failed: frameworks that hide errors from their model show it this text. */
function failedResult(request: RpcRequest, text: string, meta: object): RpcResultDocument {
  const result = {
    content: [{ type: "text", text }],
    isError: true,
    _meta: meta,
    ...(isStateless(request) ? { resultType: "complete" } : {}),
  };
  return { jsonrpc: "2.0", id: request.id, result };
}
