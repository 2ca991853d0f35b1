import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonObject } from "@svc/text/json-value";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { malformed, type Result } from "@svc/tool-calls/result";
import type { Scope } from "../kills/scope.ts";
import { executeRequest } from "./read-governed-call.ts";

/** Params that name the task. They are not inputs, and no policy rewrites them. */
const ADDRESS: ReadonlySet<string> = new Set(["taskId", "_meta"]);

/** Reads inputs to a task as the call that began it, with its tool and session. */
export function readTaskUpdate(
  { params }: RpcRequest,
  { agentId, namespace, sessionId, tool }: Scope,
): Result<ExecuteRequest> {
  if (tool === null) return malformed("params.taskId", "a task of one call", "another");
  const args = members(params, (key) => !ADDRESS.has(key));
  return executeRequest({ agentId, namespace, sessionId, tool, args });
}

/** The request with its inputs replaced. */
export function withInputs({ document, params }: RpcRequest, inputs: JsonObject): JsonObject {
  return { ...document, params: { ...inputs, ...members(params, (key) => ADDRESS.has(key)) } };
}

function members(params: JsonObject, isWanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([key]) => isWanted(key)));
}
