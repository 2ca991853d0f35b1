import type { IncomingMessage } from "node:http";
import { INVALID_REQUEST } from "@svc/contract/mcp-message";
import type { Handle } from "@svc/http-edge/edge-server";
import { accessFault } from "./access.ts";
import { hasForeignConnectionOption } from "./forwarded-headers.ts";
import type { McpProxyParts } from "./mcp-proxy-parts.ts";
import { type HttpFault, sendFault } from "./send-message.ts";
import { servePost } from "./serve-post.ts";
import { serveBodyless } from "./serve-unowed.ts";

/** Methods whose requests have no body, and none of which a server takes for a message. */
const BODYLESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);

/**
 * The proxy as a request handler. What it throws is a defect and becomes a 500; nothing was forwarded by it.
 */
export function createMcpProxy(parts: McpProxyParts): Handle {
  return (request, response) => {
    const fault = frameFault(request, parts);
    if (fault !== null) return sendFault(response, fault);
    const exchange = { request, response };
    return request.method === "POST" ? servePost(exchange, parts) : serveBodyless(exchange, parts);
  };
}

/** Why a request goes no further whatever it carries. */
function frameFault(request: IncomingMessage, { settings, pseudonym }: McpProxyParts): HttpFault | null {
  const access = accessFault(request, settings.allowedHosts);
  if (access !== null) return { status: 403, message: access };
  const { method = "", headers } = request;
  if (method !== "POST" && !BODYLESS.has(method))
    return { status: 405, message: "Expected GET, POST, DELETE or OPTIONS." };
  if (hasForeignConnectionOption(request))
    return { status: 400, code: INVALID_REQUEST, message: "Connection names another header." };
  if (method !== "POST" && hasBody(request))
    return { status: 400, code: INVALID_REQUEST, message: `Expected no body with ${method}.` };
  if (headers.via?.includes(pseudonym) === true)
    return { status: 508, message: "SVC_MCP_UPSTREAM_URL leads back to this proxy." };
  return null;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}
