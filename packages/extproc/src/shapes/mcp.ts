import { isJsonObject, type JsonObject, type JsonValue } from "@svc/contract/json-value";
import { MAX_BODY_BYTES } from "@svc/contract/limits";
import { malformed, type Read, read } from "@svc/decision-client/refusal";
import type { GovernedRequest } from "../routes/plan-request.ts";
import type { HttpMessage } from "../stream/stream-state.ts";
import { NO_CHANGES } from "../wire/processing-response.ts";
import { caseVariant, forwardJson, readJsonBody } from "./json-body.ts";
import { checkMirrors, decodeParamValue, mirrorChanges } from "./mcp-param-headers.ts";
import type { ParsedMessage } from "./parsed-message.ts";

/**
 * Messages that execute nothing: handshake, lists, liveness and notifications. Whatever else a client may
 * send is judged: `tools/call` as the tool that it names, any other method as the tool `mcp.` and its name.
 */
const PASSING_METHODS: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "server/discover",
  "logging/setLevel",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/roots/list_changed",
]);

const ENVELOPE_KEYS = ["jsonrpc", "id", "method", "params", "result", "error"];
const CALL_KEYS = ["name", "arguments", "_meta", "task", "inputResponses", "requestState"];

type McpShape = Extract<GovernedRequest["route"]["shape"], { kind: "mcp" }>;

/** Reads one message of the Model Context Protocol off an HTTP request. Batches are refused. */
export function parseMcp(
  message: HttpMessage,
  { method }: GovernedRequest,
  shape: McpShape,
): Read<ParsedMessage> {
  if (method !== "POST") return parseWithoutBody(message, method);
  const body = readJsonBody(message, MAX_BODY_BYTES);
  if (!body.ok) return body;
  const root = body.value;
  if (caseVariant(root, ENVELOPE_KEYS) !== null)
    return malformed("body", "keys of JSON-RPC", "one in other case");
  if (root["jsonrpc"] !== "2.0") return malformed("jsonrpc", '"2.0"', "another version");
  const rpcMethod = root["method"];
  if (rpcMethod === undefined) return parseReply(root);
  if (typeof rpcMethod !== "string") return malformed("method", "a text", "another value");
  if (!repeats(message, "mcp-method", rpcMethod))
    return malformed("mcp-method", "the method of the body", "another");
  if (PASSING_METHODS.has(rpcMethod)) return read({ calls: [], forward: () => read(forwardJson(root)) });
  if (rpcMethod !== "tools/call") return parsePseudoCall(root, rpcMethod);
  return parseToolsCall(message, root, shape);
}

/**
 * GET opens a stream of server messages and DELETE ends a session; neither can carry a call, unless it has a
 * body.
 */
function parseWithoutBody({ body }: HttpMessage, method: string): Read<ParsedMessage> {
  if (method !== "GET" && method !== "DELETE") return malformed("method", "POST, GET or DELETE", method);
  if (body !== null && body.byteLength > 0) return malformed("body", `none with ${method}`, "one");
  return read({ calls: [], forward: () => read({ body: null, changes: NO_CHANGES }) });
}

/** A client's answer to a request of the server. */
function parseReply(root: JsonObject): Read<ParsedMessage> {
  if (root["result"] === undefined && root["error"] === undefined)
    return malformed("method", "a text", "nothing");
  return read({ calls: [], forward: () => read(forwardJson(root)) });
}

function parsePseudoCall(root: JsonObject, method: string): Read<ParsedMessage> {
  const params = root["params"] ?? {};
  if (!isJsonObject(params)) return malformed("params", "an object", "another value");
  return read({
    calls: [{ tool: `mcp.${method.replaceAll("/", ".")}`, args: params }],
    forward: ([shaped]) => read(forwardJson(shaped ? { ...root, params: shaped } : root)),
  });
}

function parseToolsCall(message: HttpMessage, root: JsonObject, shape: McpShape): Read<ParsedMessage> {
  const params = root["params"];
  if (!isJsonObject(params)) return malformed("params", "an object", "another value");
  if (caseVariant(params, CALL_KEYS) !== null)
    return malformed("params", "keys of tools/call", "one in other case");
  const { name, args } = { name: params["name"], args: params["arguments"] ?? {} };
  if (typeof name !== "string") return malformed("params.name", "a text", "another value");
  if (!isJsonObject(args)) return malformed("params.arguments", "an object", "another value");
  if (!repeats(message, "mcp-name", name)) return malformed("mcp-name", "the name of the body", "another");
  const mirrors = checkMirrors(message.headers, shape.paramHeaders, args);
  if (!mirrors.ok) return mirrors;
  return read({
    calls: [{ tool: shape.serverId === null ? name : `${shape.serverId}.${name}`, args }],
    forward: ([shaped]) => {
      if (!shaped) return read(forwardJson(root));
      const mirrored = mirrorChanges(message.headers, shape.paramHeaders, shaped);
      if (!mirrored.ok) return mirrored;
      const rewritten: JsonValue = { ...root, params: { ...params, arguments: shaped } };
      return read({ ...forwardJson(rewritten), changes: mirrored.value });
    },
  });
}

/**
 * Whether a header that repeats a part of the body, if there, says the same: something on the way may believe
 * it.
 */
function repeats({ headers }: HttpMessage, name: string, value: string): boolean {
  const [header] = headers.get(name) ?? [];
  return header === undefined || decodeParamValue(header) === value;
}
