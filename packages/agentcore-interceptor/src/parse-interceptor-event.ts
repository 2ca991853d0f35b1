import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonObject } from "@svc/text/json-value";
import { type KnownIdentity, resolveIdentity } from "@svc/tool-calls/identity";
import { isToolCall, type McpCall, readMcpCall, withArgs } from "@svc/tool-calls/mcp-call";
import { type McpFeed, readMcpFeed, withFeedArgs } from "@svc/tool-calls/mcp-feed";
import { INVALID_REQUEST, METHOD_NOT_FOUND, type RpcId, type RpcRequest } from "@svc/tool-calls/mcp-message";
import { isNotification, treatmentOf } from "@svc/tool-calls/mcp-methods";
import { readSessionId } from "@svc/tool-calls/mcp-session";
import { nameInHeader } from "@svc/tool-calls/name-in-header";
import { readCall } from "@svc/tool-calls/read-call";
import { ok, type Result } from "@svc/tool-calls/result";
import { refusalError, rpcError } from "@svc/tool-calls/rpc-error";
import { answer, forward, type InterceptorOutput } from "./interceptor-output.ts";
import type { InterceptorSettings } from "./interceptor-settings.ts";
import { judgedName } from "./judged-name.ts";
import { type InterceptedRequest, readEvent } from "./read-event.ts";
import { governingHeader, headerFault, type RequestHeaders, repeatsArguments } from "./request-headers.ts";

/** A call that waits for its verdict. */
export interface InterceptedCall {
  /** Null if the message has no id and gets no answer. */
  readonly id: RpcId | null;
  readonly call: ExecuteRequest;
  /** The message to forward, with these arguments. */
  readonly withArgs: (args: JsonObject) => Result<JsonObject>;
  /** Whether a header repeats an argument: a rewrite cannot be carried out then. */
  readonly repeatsArgs: boolean;
}

/** What an event needs: a verdict, or no decision. */
export type Plan =
  | { readonly kind: "judge"; readonly pending: InterceptedCall }
  | { readonly kind: "done"; readonly output: InterceptorOutput };

/**
 * Reads an event of the gateway. Pure. An event that cannot be read is refused. Only messages of the closed
 * list that run no tool pass without a verdict.
 */
export function parseInterceptorEvent(event: unknown, settings: InterceptorSettings): Plan {
  const intercepted = readEvent(event);
  if (!intercepted.ok) return done(intercepted.output);
  const { message } = intercepted.value;
  switch (message.kind) {
    case "request":
      return planRequest(message, intercepted.value, settings);
    case "notification":
      if (!isNotification(message.method)) return done(refuseNotification());
      return planFeed(message, intercepted.value, settings);
    case "response":
      return planFeed(message, intercepted.value, settings);
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
  // Inputs to a running call are judged like those of a repeated call.
  if (request.method === "tasks/update") return planCall(request, headers, settings);
  switch (treatmentOf(request.method)) {
    case "call":
      return planCall(request, headers, settings);
    case "work":
    case "resume":
      return settings.strict ? planCall(request, headers, settings) : done(forward(document));
    case "pass":
      return done(forward(document));
    case null:
      return done(
        answer(rpcError(request.id, METHOD_NOT_FOUND, "Method not found: this adapter does not know it.")),
      );
  }
}

/** Some servers would run a request in this form, and no answer could carry its verdict. */
function refuseNotification(): InterceptorOutput {
  const message = "Expected an id: only methods below notifications/ go without one.";
  return answer(rpcError(null, INVALID_REQUEST, message));
}

function planCall(request: RpcRequest, headers: RequestHeaders, settings: InterceptorSettings): Plan {
  const called = readNamedCall(request, settings);
  const call = called.ok ? readGoverned(called.value, request.params, { headers, settings }) : called;
  if (!call.ok) return done(answer(refusalError(request.id, call.deny)));
  const replaced = (args: JsonObject): Result<JsonObject> => ok(withArgs(request, args));
  const pending = {
    id: request.id,
    call: call.value,
    withArgs: replaced,
    repeatsArgs: repeatsArguments(headers),
  };
  return { kind: "judge", pending };
}

/** A message without an answer. It is judged if it may feed a running call. */
function planFeed(
  feed: McpFeed,
  { document, headers }: InterceptedRequest,
  settings: InterceptorSettings,
): Plan {
  const fed = readMcpFeed(feed);
  if (fed === null) return done(forward(document));
  const call = readGoverned(fed, {}, { headers, settings });
  if (!call.ok) return done(answer(refusalError(null, call.deny)));
  const replaced = (args: JsonObject): Result<JsonObject> => withFeedArgs(feed, args);
  return { kind: "judge", pending: { id: null, call: call.value, withArgs: replaced, repeatsArgs: false } };
}

function readNamedCall(request: RpcRequest, { toolNames }: InterceptorSettings): Result<McpCall> {
  const called = readMcpCall(request);
  if (!called.ok || !isToolCall(request)) return called;
  const tool = judgedName(called.value.tool, toolNames);
  return tool.ok ? ok({ ...called.value, tool: tool.value }) : tool;
}

interface Circumstances {
  readonly headers: RequestHeaders;
  readonly settings: InterceptorSettings;
}

/** The question about a call or about a message that may feed one, with the agent that sent it. */
function readGoverned(
  { tool, args }: McpCall,
  params: JsonObject,
  { headers, settings }: Circumstances,
): Result<ExecuteRequest> {
  const identity = readIdentity(headers, settings);
  if (!identity.ok) return identity;
  const mcpSession = headers.get("mcp-session-id") ?? null;
  const session = readSessionId({ sessionId: null, mcpSession, traceId: null }, params);
  if (!session.ok) return session;
  return readCall({ ...identity.value, sessionId: session.value, tool, args });
}

/** The configured agent, or the one that the configured header names; both must agree. */
function readIdentity(
  headers: RequestHeaders,
  { identity, agentHeader }: InterceptorSettings,
): Result<KnownIdentity> {
  const header = agentHeader === null ? ok(null) : governingHeader(headers, agentHeader);
  if (!header.ok) return header;
  const named = header.value === null ? header : nameInHeader(agentHeader ?? "", header.value);
  if (!named.ok) return named;
  return resolveIdentity([identity], [{ agentId: named.value, namespace: null }], REMEDY);
}

const REMEDY = "set SVC_AGENT_ID, or name a header that the gateway passes and callers cannot set";

function done(output: InterceptorOutput): Plan {
  return { kind: "done", output };
}
