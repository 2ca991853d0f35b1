import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonObject } from "@svc/text/json-value";
import { type Identity, requireAgent } from "@svc/tool-calls/identity";
import { readMcpCall } from "@svc/tool-calls/mcp-call";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { readSessionId, sessionNames } from "@svc/tool-calls/mcp-session";
import { readCall, type WireCall } from "@svc/tool-calls/read-call";
import { malformed, type Result } from "@svc/tool-calls/result";
import type { Caller } from "../headers/caller.ts";
import type { McpProxySettings } from "../mcp-proxy-settings.ts";

/** Reads the call to judge out of a request. It refuses here what the gateway's own parser would refuse. */
export function readGovernedCall(
  request: RpcRequest,
  caller: Caller,
  { mcpId, metaSession }: Pick<McpProxySettings, "mcpId" | "metaSession">,
): Result<ExecuteRequest> {
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

/** Whether a message names a session that no header names. Each new session would get a budget of its own. */
function namesAnother(caller: Caller, params: JsonObject): boolean {
  const ofHeaders = sessionNames(caller, {});
  return sessionNames(caller, params).some((name) => !ofHeaders.includes(name));
}

/** The question to the gateway about a call. A call without an agent is denied. */
export function executeRequest(call: Omit<WireCall, "agentId"> & Identity): Result<ExecuteRequest> {
  const identity = requireAgent(call, REMEDY);
  return identity.ok ? readCall({ ...call, ...identity.value }) : identity;
}

const REMEDY = "set SVC_AGENT_ID, or let the operator's proxy set X-Svc-Agent-Id";
