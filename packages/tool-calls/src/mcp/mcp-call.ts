import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { confusableWith } from "../confusables.ts";
import { malformed, ok, type Result } from "../result.ts";
import type { RpcRequest } from "./mcp-message.ts";
import { pseudoTool } from "./mcp-methods.ts";

/** The call that an MCP request makes. */
export interface McpCall {
  /** The tool in the request; for methods other than tools/call, `mcp.` and the method. */
  readonly tool: string;
  readonly args: JsonObject;
}

export function isToolCall({ method }: RpcRequest): boolean {
  return method === "tools/call";
}

/**
 * Member of the params that holds a client's answers to its server's questions. Servers use
 * it like arguments.
 */
const INPUTS = "inputResponses";

/**
 * Reads tool and arguments; those of other methods are their params without `_meta`. A client's answers to
 * its server's questions are judged with the arguments, as their member `inputResponses`. `requestState`
 * passes unchanged, because only the server that wrote it can read it.
 */
export function readMcpCall(request: RpcRequest): Result<McpCall> {
  return isToolCall(request) ? toolCalled(request.params) : methodCalled(request);
}

/** The request with other arguments. Everything else stays unchanged. */
export function withArgs(request: RpcRequest, args: JsonObject): JsonObject {
  const { document, params } = request;
  if (isToolCall(request)) return { ...document, params: { ...params, ...placed(params, args) } };
  const meta = Object.hasOwn(params, "_meta") ? { _meta: params["_meta"] as JsonObject } : {};
  return { ...document, params: { ...args, ...meta } };
}

/** Puts judged arguments back as members of the params. */
function placed(params: JsonObject, args: JsonObject): JsonObject {
  if (!Object.hasOwn(params, INPUTS)) return { arguments: args };
  const own = Object.fromEntries(Object.entries(args).filter(([key]) => key !== INPUTS));
  return { arguments: own, [INPUTS]: Object.hasOwn(args, INPUTS) ? (args[INPUTS] ?? null) : {} };
}

function toolCalled(params: JsonObject): Result<McpCall> {
  const { name } = params;
  if (typeof name !== "string") return malformed("params.name", "the name of a tool");
  const args = Object.hasOwn(params, "arguments") ? params["arguments"] : {};
  if (!isJsonObject(args)) return malformed("params.arguments", "an object, or nothing at all");
  if (!Object.hasOwn(params, INPUTS)) return ok({ tool: name, args });
  const isTaken = Object.hasOwn(args, INPUTS) || confusableWith(Object.keys(args), [INPUTS]) !== null;
  return isTaken
    ? malformed("params.arguments", `no argument like ${INPUTS} beside params.${INPUTS}`)
    : ok({ tool: name, args: { ...args, [INPUTS]: params[INPUTS] ?? null } });
}

function methodCalled({ method, params }: RpcRequest): Result<McpCall> {
  const args = Object.fromEntries(Object.entries(params).filter(([key]) => key !== "_meta"));
  return ok({ tool: pseudoTool(method), args });
}
