import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import type { RpcRequest } from "@svc/contract/mcp-message";
import { pseudoTool } from "@svc/contract/mcp-methods";
import { malformed, type Read, read } from "./refusal.ts";

/** What a request of MCP wants to run. */
export interface McpCall {
  /** As the request names it; other methods than tools/call: `mcp.` and the method. */
  readonly tool: string;
  readonly args: JsonObject;
}

export function isToolCall({ method }: RpcRequest): boolean {
  return method === "tools/call";
}

/** Reads tool and arguments; those of other methods are their params without `_meta`. */
export function readMcpCall(request: RpcRequest): Read<McpCall> {
  return isToolCall(request) ? toolCalled(request.params) : methodCalled(request);
}

/** The request with other arguments in the place of its own; everything else as it came. */
export function withArgs(request: RpcRequest, args: JsonObject): JsonObject {
  const { document, params } = request;
  if (isToolCall(request)) return { ...document, params: { ...params, arguments: args } };
  const meta = Object.hasOwn(params, "_meta") ? { _meta: params["_meta"] as JsonObject } : {};
  return { ...document, params: { ...args, ...meta } };
}

function toolCalled(params: JsonObject): Read<McpCall> {
  const { name } = params;
  if (typeof name !== "string") return malformed("params.name", "the name of a tool");
  const args = Object.hasOwn(params, "arguments") ? params["arguments"] : {};
  return isJsonObject(args)
    ? read({ tool: name, args })
    : malformed("params.arguments", "an object, or nothing at all");
}

function methodCalled({ method, params }: RpcRequest): Read<McpCall> {
  const args = Object.fromEntries(Object.entries(params).filter(([key]) => key !== "_meta"));
  return read({ tool: pseudoTool(method), args });
}
