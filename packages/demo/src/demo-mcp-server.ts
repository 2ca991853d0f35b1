import { randomUUID } from "node:crypto";
import type { Handle } from "@svc/http-edge/edge-server";
import { readBody } from "@svc/http-edge/read-body";
import { sendJson } from "@svc/http-edge/send-json";
import { canonicalJson } from "@svc/text/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { parseStrictJson } from "@svc/text/strict-json";
import { DEMO_TOOLS } from "./demo-tools.ts";

/** Revisions of the protocol that it speaks, newest first. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

type Reply = { readonly result: JsonObject } | { readonly error: { code: number; message: string } };

/**
 * A small MCP server over Streamable HTTP: answers in JSON, keeps nothing between calls, and never starts a
 * message itself, so it refuses GET.
 */
export function demoMcpServer(tell: (line: string) => void): Handle {
  return async (request, response) => {
    if (request.method === "DELETE") return void response.writeHead(204).end();
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST, DELETE" }).end();
    const body = await readBody(request, MAX_BODY_BYTES);
    const json = body.kind === "body" ? parseStrictJson(body.bytes) : null;
    if (!json?.ok) return sendJson(response, 400, rpc(null, fault(PARSE_ERROR, "expected JSON")));
    const message = json.value;
    if (!isJsonObject(message) || typeof message["method"] !== "string")
      return sendJson(response, 400, rpc(null, fault(INVALID_REQUEST, "expected one request")));
    const { id, method } = message;
    if (id === undefined) return void response.writeHead(202).end();
    const session = method === "initialize" ? { "mcp-session-id": randomUUID() } : {};
    sendJson(response, 200, rpc(id, replyTo(method, paramsOf(message), tell)), session);
  };
}

function replyTo(method: string, params: JsonObject, tell: (line: string) => void): Reply {
  switch (method) {
    case "initialize":
      return { result: greeting(params) };
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: DEMO_TOOLS.map(described) } };
    case "tools/call":
      return callTool(params, tell);
    default:
      return fault(METHOD_NOT_FOUND, `no method ${method}`);
  }
}

function described({ name, description, inputSchema }: (typeof DEMO_TOOLS)[number]): JsonObject {
  return { name, description, inputSchema };
}

function greeting({ protocolVersion }: JsonObject): JsonObject {
  return {
    protocolVersion: REVISIONS.find((revision) => revision === protocolVersion) ?? REVISIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: "svc-demo", version: "0.1.0" },
  };
}

function callTool(params: JsonObject, tell: (line: string) => void): Reply {
  const tool = DEMO_TOOLS.find(({ name }) => name === params["name"]);
  if (tool === undefined) return fault(INVALID_PARAMS, "no such tool");
  const args = isJsonObject(params["arguments"]) ? params["arguments"] : {};
  tell(`the MCP server ran ${tool.name} ${canonicalJson(args)}`);
  return { result: { content: [{ type: "text", text: tool.run(args) }] } };
}

function paramsOf({ params }: JsonObject): JsonObject {
  return isJsonObject(params) ? params : {};
}

function fault(code: number, message: string): Reply {
  return { error: { code, message } };
}

function rpc(id: JsonValue, reply: Reply): object {
  return { jsonrpc: "2.0", id, ...reply };
}
