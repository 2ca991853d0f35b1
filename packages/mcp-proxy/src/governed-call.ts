import type { ExecuteRequest } from "@svc/contract/execute-request";
import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { MAX_BODY_BYTES } from "@svc/contract/limits";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { malformed, type Read, read, refused } from "@svc/decision-client/refusal";
import type { Caller } from "./caller.ts";
import type { RpcRequest } from "./message.ts";
import { pseudoTool } from "./method-table.ts";
import { readSessionId } from "./session-id.ts";

/** Room in bytes that a decision request needs beside the arguments: names, keys, quotes. */
const ENVELOPE_BYTES = 4 * 1024;

/**
 * Reads the call to be judged out of a request. What the gateway's own parser would refuse is refused here.
 */
export function readGovernedCall(
  request: RpcRequest,
  caller: Caller,
  mcpId: string | null,
): Read<ExecuteRequest> {
  if (caller.agentId === null) {
    const reason = "No agent: set SVC_AGENT_ID, or let the operator's proxy set X-Svc-Agent-Id.";
    return refused("agent_unknown", reason);
  }
  const session = readSessionId(caller, request.params);
  if (!session.ok) return session;
  const called = isToolCall(request) ? toolCalled(request.params) : methodCalled(request);
  if (!called.ok) return called;
  const { tool, args } = called.value;
  if (Buffer.byteLength(JSON.stringify(args)) > MAX_BODY_BYTES - ENVELOPE_BYTES)
    return malformed("params.arguments", `at most ${String(MAX_BODY_BYTES - ENVELOPE_BYTES)} bytes`);
  const call = parseExecuteRequest({
    agent_id: caller.agentId,
    tool: mcpId === null ? tool : `${mcpId}.${tool}`,
    args,
    ...(session.value === null ? {} : { session_id: session.value }),
    ...(caller.namespace === null ? {} : { namespace: caller.namespace }),
  });
  if (call.ok) return read(call.value);
  const [first] = call.errors;
  return malformed(first?.pointer ?? "params", first?.expected ?? "a tool call");
}

/** The request with other arguments in the place of its own; everything else as it came. */
export function withArgs(request: RpcRequest, args: JsonObject): JsonObject {
  const { document, params } = request;
  if (isToolCall(request)) return { ...document, params: { ...params, arguments: args } };
  const meta = Object.hasOwn(params, "_meta") ? { _meta: params["_meta"] as JsonObject } : {};
  return { ...document, params: { ...args, ...meta } };
}

export function isToolCall({ method }: RpcRequest): boolean {
  return method === "tools/call";
}

interface Called {
  readonly tool: string;
  readonly args: JsonObject;
}

function toolCalled(params: JsonObject): Read<Called> {
  const { name } = params;
  if (typeof name !== "string") return malformed("params.name", "the name of a tool");
  const args = Object.hasOwn(params, "arguments") ? params["arguments"] : {};
  return isJsonObject(args)
    ? read({ tool: name, args })
    : malformed("params.arguments", "an object, or nothing at all");
}

function methodCalled({ method, params }: RpcRequest): Read<Called> {
  const args = Object.fromEntries(Object.entries(params).filter(([key]) => key !== "_meta"));
  return read({ tool: pseudoTool(method), args });
}
