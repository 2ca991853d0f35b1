import type { JsonObject } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { isToolCall, readMcpCall, withArgs } from "@svc/tool-calls/mcp-call";
import { type McpFeed, readMcpFeed, withFeedArgs } from "@svc/tool-calls/mcp-feed";
import { decodeMcpHeader } from "@svc/tool-calls/mcp-header-value";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { isNotification, treatmentOf } from "@svc/tool-calls/mcp-methods";
import { parseMcpMessage } from "@svc/tool-calls/parse-mcp-message";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";
import type { GovernedRequest } from "../routes/plan-request.ts";
import type { HttpMessage } from "../stream/stream-state.ts";
import { NO_CHANGES } from "../wire/processing-response.ts";
import { forwardJson, readJsonBytes } from "./json-body.ts";
import { checkMirrors, mirrorChanges, type ParamHeaders } from "./mcp-param-headers.ts";
import type { ParsedMessage } from "./parsed-message.ts";

type McpShape = Extract<GovernedRequest["route"]["shape"], { kind: "mcp" }>;

/** Only the headers of a tool call repeat its arguments. */
const NO_PARAM_HEADERS: ParamHeaders = new Map();

/**
 * Reads one message of the Model Context Protocol off an HTTP request. Batches and JSON that is not a message
 * are refused. Messages that execute nothing pass without a question. Every other message is judged:
 * `tools/call` as the tool that it names, another method as the tool `mcp.` and its name, the answer of a
 * client as `mcp.response`.
 */
export function parseMcp(
  message: HttpMessage,
  { method }: GovernedRequest,
  shape: McpShape,
): Result<ParsedMessage> {
  if (method !== "POST") return parseWithoutBody(message, method);
  const bytes = readJsonBytes(message);
  if (!bytes.ok) return bytes;
  const parsed = parseMcpMessage(bytes.value, MAX_BODY_BYTES);
  if (!parsed.ok) return denied("request_malformed", parsed.fault.message);
  const { message: rpc } = parsed;
  switch (rpc.kind) {
    case "other":
      return malformed("body", "an MCP message", "other JSON");
    case "response":
    case "notification":
      return parseFeed(message, rpc, shape);
    case "request":
      return parseRequest(message, rpc, shape);
  }
}

/**
 * GET opens a stream of server messages and DELETE ends a session; neither can carry a call, unless it
 * has a body.
 */
function parseWithoutBody({ body }: HttpMessage, method: string): Result<ParsedMessage> {
  if (method !== "GET" && method !== "DELETE") return malformed("method", "POST, GET or DELETE", method);
  if (body !== null && body.byteLength > 0) return malformed("body", `none with ${method}`, "a body");
  return ok({ calls: [], forward: () => ok({ body: null, changes: NO_CHANGES }) });
}

function parseFeed(message: HttpMessage, rpc: McpFeed, shape: McpShape): Result<ParsedMessage> {
  if (rpc.kind === "notification") {
    // Some servers run a call without an id, and no answer could carry the verdict on it.
    if (!isNotification(rpc.method)) return malformed("id", "an id with this method", "nothing");
    const agrees = checkHeader(message, "mcp-method", rpc.method);
    if (!agrees.ok) return agrees;
  }
  const call = readMcpFeed(rpc);
  if (call === null) return passing(rpc.document);
  return ok({
    calls: [{ ...call, tool: toolName(shape, call.tool) }],
    forward: ([shaped]) => {
      const document = shaped ? withFeedArgs(rpc, shaped) : ok(rpc.document);
      return document.ok ? ok(forwardJson(document.value)) : document;
    },
  });
}

function toolName({ serverId }: McpShape, tool: string): string {
  return serverId === null ? tool : `${serverId}.${tool}`;
}

function parseRequest(message: HttpMessage, rpc: RpcRequest, shape: McpShape): Result<ParsedMessage> {
  const agrees = checkHeader(message, "mcp-method", rpc.method);
  if (!agrees.ok) return agrees;
  if (treatmentOf(rpc.method) === "pass") return passing(rpc.document);
  const call = readMcpCall(rpc);
  if (!call.ok) return call;
  const { tool, args } = call.value;
  const named = isToolCall(rpc) ? checkHeader(message, "mcp-name", tool) : agrees;
  if (!named.ok) return named;
  const known = isToolCall(rpc) ? shape.paramHeaders : NO_PARAM_HEADERS;
  const mirrors = checkMirrors(message.headers, known, args);
  if (!mirrors.ok) return mirrors;
  return ok({
    calls: [{ tool: toolName(shape, tool), args }],
    forward: ([shaped]) => {
      if (!shaped) return ok(forwardJson(rpc.document));
      const changes = mirrorChanges(message.headers, known, shaped);
      if (!changes.ok) return changes;
      return ok({ ...forwardJson(withArgs(rpc, shaped)), changes: changes.value });
    },
  });
}

function passing(document: JsonObject): Result<ParsedMessage> {
  return ok({ calls: [], forward: () => ok(forwardJson(document)) });
}

/**
 * Refuses a header that repeats a part of the body with another value, because a server on the way may
 * use the header.
 */
function checkHeader({ headers }: HttpMessage, name: string, said: string): Result<null> {
  const [header] = headers.get(name) ?? [];
  if (header === undefined || decodeMcpHeader(header) === said) return ok(null);
  return malformed(name, "the value in the body", "another value");
}
