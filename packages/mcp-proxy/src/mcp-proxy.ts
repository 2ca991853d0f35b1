import type { IncomingMessage } from "node:http";
import type { Handle } from "@svc/http-edge/edge-server";
import { hostFault, originFault } from "@svc/http-edge/host-check";
import { INVALID_REQUEST } from "@svc/tool-calls/mcp-message";
import { type HttpFault, sendFault } from "./calls/send-message.ts";
import { serveBodyless } from "./calls/serve-bodyless.ts";
import { servePost } from "./calls/serve-post.ts";
import { hasForeignConnectionOption } from "./headers/forwarded-headers.ts";
import type { McpProxyParts } from "./mcp-proxy-parts.ts";
import { type PassedPath, passedPath } from "./paths.ts";
import type { Refused } from "./reporter.ts";

/**
 * Creates the request handler of the proxy. An exception from it is a defect and becomes a 500.
 */
export function createMcpProxy(parts: McpProxyParts): Handle {
  return (request, response) => {
    const { method = "", url = "" } = request;
    const path = passedPath(url, parts.settings);
    const fault = frameFault(request, path, parts);
    if (path === null || fault !== null) {
      const { refused, ...httpFault } = fault ?? NO_PATH;
      // A query may carry codes and tokens, so it is not logged.
      parts.reporter.refused(refused, `${method} ${url.split("?", 1)[0] ?? ""}: ${httpFault.message}`);
      return sendFault(response, httpFault);
    }
    const exchange = { request, response, path };
    return method === "POST" ? servePost(exchange, parts) : serveBodyless(exchange, parts);
  };
}

type FrameFault = HttpFault & { readonly refused: Refused };

const NO_PATH: FrameFault = {
  refused: "path",
  status: 404,
  message:
    "Expected the MCP endpoint (/mcp) or a path of OAuth discovery and authorization. Other paths of the " +
    "server do not pass; SVC_MCP_PASS_PATHS adds exact ones.",
};

/** Why a request is refused before its body is read. */
function frameFault(
  request: IncomingMessage,
  path: PassedPath | null,
  { settings, server }: Pick<McpProxyParts, "settings" | "server">,
): FrameFault | null {
  const access = hostFault(request, settings.allowedHosts) ?? originFault(request, settings.allowedHosts);
  if (access !== null) return { refused: "access", status: 403, message: access };
  if (path === null) return NO_PATH;
  const { method = "" } = request;
  if (!path.methods.includes(method)) {
    const allow = path.methods.join(", ");
    return { refused: "method", status: 405, message: `Expected ${allow}.`, allow };
  }
  if (hasForeignConnectionOption(request)) return refusedFrame("Connection names another header.");
  if (method !== "POST" && hasBody(request)) return refusedFrame(`Expected no body with ${method}.`);
  if (server.hasSent(request))
    return { refused: "access", status: 508, message: "SVC_MCP_UPSTREAM_URL leads back to this proxy." };
  return null;
}

function refusedFrame(message: string): FrameFault {
  return { refused: "message", status: 400, code: INVALID_REQUEST, message };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}
