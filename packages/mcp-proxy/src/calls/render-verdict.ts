import type { RefusalVerdict } from "@svc/contract/verdict";
import { isToolCall } from "@svc/tool-calls/mcp-call";
import { isStateless, type RpcId, type RpcRequest } from "@svc/tool-calls/mcp-message";
import {
  FAILED,
  type RpcErrorDocument,
  refusalData,
  refusalError,
  refusalMessage,
  rpcError,
} from "@svc/tool-calls/rpc-error";
import type { DenyForm } from "../mcp-proxy-settings.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";

interface RpcResultDocument {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly result: object;
}

/**
 * Renders a refused call. It must be sent with exactly this id and status 200: another status ends the
 * session of some clients, and another id leaves others waiting forever.
 */
export function renderRefusal(
  request: RpcRequest,
  refusal: RefusalVerdict,
  form: DenyForm,
): RpcErrorDocument | RpcResultDocument {
  if (form === "error" || !isToolCall(request)) return refusalError(request.id, refusal);
  return failedResult(request, refusalMessage(refusal), { "svc/verdict": refusalData(refusal) });
}

/** Renders the failure of an allowed request. The proxy does not know whether the server executed it. */
export function renderFailure(
  request: RpcRequest,
  { code, reason }: UpstreamFailure,
  form: DenyForm,
): RpcErrorDocument | RpcResultDocument {
  const data = { reason, reason_code: code };
  if (form === "error" || !isToolCall(request)) return rpcError(request.id, FAILED, reason, data);
  return failedResult(request, reason, { "svc/failure": data });
}

/** The result of a failed tool. Frameworks that hide errors from their model show it this text. */
function failedResult(request: RpcRequest, text: string, meta: object): RpcResultDocument {
  const result = {
    content: [{ type: "text", text }],
    isError: true,
    _meta: meta,
    ...(isStateless(request) ? { resultType: "complete" } : {}),
  };
  return { jsonrpc: "2.0", id: request.id, result };
}
