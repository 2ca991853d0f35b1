import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonObject } from "@svc/contract/json-value";
import { MAX_BODY_BYTES } from "@svc/contract/limits";
import type { RpcRequest } from "@svc/contract/mcp-message";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { readMcpCall } from "@svc/decision-client/mcp-call";
import { readSessionId, sessionNames } from "@svc/decision-client/mcp-session";
import { malformed, type Read, read, refused } from "@svc/decision-client/refusal";
import type { Caller } from "./caller.ts";
import type { Scope } from "./kill-scopes.ts";
import type { McpProxySettings } from "./mcp-proxy-settings.ts";

/** Room in bytes that a decision request needs beside the arguments: names, keys, quotes. */
const ENVELOPE_BYTES = 4 * 1024;

/**
 * Reads the call to be judged out of a request. What the gateway's own parser would refuse is refused here.
 */
export function readGovernedCall(
  request: RpcRequest,
  caller: Caller,
  { mcpId, metaSession }: Pick<McpProxySettings, "mcpId" | "metaSession">,
): Read<ExecuteRequest> {
  const session = readSessionId(caller, request.params);
  if (!session.ok) return session;
  if (metaSession === "refuse" && namesAnother(caller, request.params))
    return malformed("params._meta", "no session but that of the headers");
  const called = readMcpCall(request);
  if (!called.ok) return called;
  const { tool, args } = called.value;
  return executeRequest({
    agentId: caller.agentId,
    namespace: caller.namespace,
    sessionId: session.value,
    tool: mcpId === null ? tool : `${mcpId}.${tool}`,
    args,
  });
}

/** Whether a message names a session that no header names: each new one would have a budget of its own. */
function namesAnother(caller: Caller, params: JsonObject): boolean {
  const ofHeaders = sessionNames(caller, {});
  return sessionNames(caller, params).some((name) => !ofHeaders.includes(name));
}

/** The question to the gateway about a call in this scope. */
export function executeRequest({
  agentId,
  namespace,
  sessionId,
  tool,
  args,
}: Scope & { readonly args: JsonObject }): Read<ExecuteRequest> {
  if (agentId === null) {
    const reason = "No agent: set SVC_AGENT_ID, or let the operator's proxy set X-Svc-Agent-Id.";
    return refused("agent_unknown", reason);
  }
  if (Buffer.byteLength(JSON.stringify(args)) > MAX_BODY_BYTES - ENVELOPE_BYTES)
    return malformed("params.arguments", `at most ${String(MAX_BODY_BYTES - ENVELOPE_BYTES)} bytes`);
  const call = parseExecuteRequest({
    agent_id: agentId,
    tool,
    args,
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(namespace === null ? {} : { namespace }),
  });
  if (call.ok) return read(call.value);
  const [first] = call.errors;
  return malformed(first?.pointer ?? "params", first?.expected ?? "a tool call");
}
