import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { denied, ok, type Result } from "../result.ts";
import type { McpCall } from "./mcp-call.ts";
import type { RpcNotification, RpcResponse } from "./mcp-message.ts";
import { isKnownNotification, pseudoTool } from "./mcp-methods.ts";

/**
 * A message without an answer, which may be input to a running call: a notification, or a client's answer.
 */
export type McpFeed = RpcNotification | RpcResponse;

/** The tool for a client's answer when the adapter did not see the question of the server. */
const RESPONSE_TOOL = "mcp.response";

/**
 * The call to judge for such a message; null when there is none. The protocol's own notifications, and an
 * empty result that answers a ping, give a server nothing to run. An unknown notification is judged as the
 * tool `mcp.` and its name, an answer as `mcp.response` with the argument `result` or `error`.
 */
export function readMcpFeed(message: McpFeed): McpCall | null {
  const { document } = message;
  if (message.kind === "response") {
    const { result } = document;
    if (isJsonObject(result) && Object.keys(result).length === 0) return null;
    return { tool: RESPONSE_TOOL, args: { [sideOf(document)]: document[sideOf(document)] ?? null } };
  }
  if (isKnownNotification(message.method)) return null;
  const { params } = document;
  const args = isJsonObject(params) ? without(params, "_meta") : {};
  return { tool: pseudoTool(message.method), args };
}

/** The message with other arguments instead of the judged ones. */
export function withFeedArgs({ kind, document }: McpFeed, args: JsonObject): Result<JsonObject> {
  if (kind === "notification") {
    const { params } = document;
    const meta =
      isJsonObject(params) && Object.hasOwn(params, "_meta") ? { _meta: params["_meta"] ?? null } : {};
    return ok({ ...document, params: { ...args, ...meta } });
  }
  const side = sideOf(document);
  const answer = Object.hasOwn(args, side) ? args[side] : undefined;
  if (answer === undefined) return denied("shaping_unsupported", "The policy removed the client's answer.");
  return ok({ ...document, [side]: answer });
}

function sideOf(document: JsonObject): "result" | "error" {
  return Object.hasOwn(document, "result") ? "result" : "error";
}

function without(params: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([key]) => key !== name));
}
