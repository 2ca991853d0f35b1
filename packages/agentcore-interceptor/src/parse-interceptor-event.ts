import type { ExecuteRequest } from "@svc/contract/execute-request";
import { INVALID_REQUEST, METHOD_NOT_FOUND, type RpcRequest } from "@svc/contract/mcp-message";
import { isNotification, treatmentOf } from "@svc/contract/mcp-methods";
import { refusalError, rpcError } from "@svc/contract/mcp-refusal";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { isToolCall, readMcpCall } from "@svc/decision-client/mcp-call";
import { readSessionId } from "@svc/decision-client/mcp-session";
import { malformed, type Read, read, refused } from "@svc/decision-client/refusal";
import { answer, forward, type InterceptorOutput } from "./interceptor-output.ts";
import type { InterceptorSettings } from "./interceptor-settings.ts";
import { type InterceptedRequest, readEvent } from "./read-event.ts";
import { governingHeader, headerFault, type RequestHeaders, repeatsArguments } from "./request-headers.ts";
import { judgedName } from "./tool-name.ts";

/** A call that waits for its verdict. */
export interface PendingCall {
  readonly request: RpcRequest;
  readonly call: ExecuteRequest;
  /** A header repeats an argument, so that a rewrite cannot be carried out. */
  readonly repeatsArgs: boolean;
}

/** What an event asks for: a verdict, or nothing that anybody has to decide. */
export type Plan =
  | { readonly kind: "judge"; readonly pending: PendingCall }
  | { readonly kind: "done"; readonly output: InterceptorOutput };

/**
 * Reads an event of the gateway. Pure, and total: whatever cannot be read is refused, and nothing goes on
 * without a verdict but messages of the closed list that run no tool.
 */
export function parseInterceptorEvent(event: unknown, settings: InterceptorSettings): Plan {
  const intercepted = readEvent(event);
  if (!intercepted.ok) return done(intercepted.output);
  const { message, document } = intercepted.value;
  switch (message.kind) {
    case "request":
      return planRequest(message, intercepted.value, settings);
    case "notification":
      return done(isNotification(message.method) ? forward(document) : refuseNotification());
    case "response":
      return done(forward(document));
    case "other":
      return done(answer(rpcError(null, INVALID_REQUEST, "Expected a message of MCP.")));
  }
}

function planRequest(
  request: RpcRequest,
  intercepted: InterceptedRequest,
  settings: InterceptorSettings,
): Plan {
  const { document, headers } = intercepted;
  const fault = headerFault(headers, request);
  if (fault !== null) return done(answer(rpcError(request.id, INVALID_REQUEST, fault)));
  switch (treatmentOf(request.method)) {
    case "call":
      return judge(request, headers, settings);
    case "work":
    case "resume":
      return settings.strict ? judge(request, headers, settings) : done(forward(document));
    case "pass":
      return done(forward(document));
    case null:
      return done(answer(rpcError(request.id, METHOD_NOT_FOUND, "Method not found: it is not known here.")));
  }
}

/** A request in this form would run in some servers, and nobody could be told its verdict. */
function refuseNotification(): InterceptorOutput {
  const message = "Expected an id: only methods below notifications/ go without one.";
  return answer(rpcError(null, INVALID_REQUEST, message));
}

function judge(request: RpcRequest, headers: RequestHeaders, settings: InterceptorSettings): Plan {
  const call = readCall(request, headers, settings);
  if (!call.ok) return done(answer(refusalError(request.id, call.deny)));
  const pending = { request, call: call.value, repeatsArgs: repeatsArguments(headers) };
  return { kind: "judge", pending };
}

function readCall(
  request: RpcRequest,
  headers: RequestHeaders,
  settings: InterceptorSettings,
): Read<ExecuteRequest> {
  const agentId = readAgent(headers, settings);
  if (!agentId.ok) return agentId;
  const mcpSession = headers.get("mcp-session-id") ?? null;
  const session = readSessionId({ sessionId: null, mcpSession, traceId: null }, request.params);
  if (!session.ok) return session;
  const called = readMcpCall(request);
  if (!called.ok) return called;
  const tool = isToolCall(request)
    ? judgedName(called.value.tool, settings.toolNames)
    : read(called.value.tool);
  if (!tool.ok) return tool;
  const { namespace } = settings.identity;
  const call = parseExecuteRequest({
    agent_id: agentId.value,
    tool: tool.value,
    args: called.value.args,
    ...(session.value === null ? {} : { session_id: session.value }),
    ...(namespace === null ? {} : { namespace }),
  });
  if (call.ok) return read(call.value);
  const [first] = call.errors;
  return malformed(first?.pointer ?? "params", first?.expected ?? "a tool call");
}

/** The configured agent, or the one that the configured header names; both must agree. */
function readAgent(headers: RequestHeaders, { identity, agentHeader }: InterceptorSettings): Read<string> {
  const named = agentHeader === null ? read(null) : governingHeader(headers, agentHeader);
  if (!named.ok) return named;
  const agentId = identity.agentId ?? named.value;
  if (agentId === null) {
    const reason =
      "No agent: set SVC_AGENT_ID, or name a header that the gateway passes and callers cannot set.";
    return refused("agent_unknown", reason);
  }
  if (named.value !== null && named.value !== agentId)
    return malformed(agentHeader ?? "agent", "what the configuration fixes");
  return read(agentId);
}

function done(output: InterceptorOutput): Plan {
  return { kind: "done", output };
}
