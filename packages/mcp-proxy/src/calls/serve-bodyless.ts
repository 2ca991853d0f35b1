import { readCaller } from "../headers/caller.ts";
import { withImpliedSession } from "../memory/implied-sessions.ts";
import type { Scope } from "../kills/kill-scopes.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { foreignSession, killedRequest } from "./request-faults.ts";
import { killedFault, resumptionFault, scopeOf } from "../kills/resumption-deny.ts";
import { sendFault } from "./send-message.ts";
import type { Exchange } from "../upstream/mcp-server.ts";
import { serveUnowed, stoppableScope } from "../relay/pass-through.ts";

/** Serves GET, HEAD, DELETE and OPTIONS: streams of the server, the end of a session, metadata. */
export async function serveBodyless(exchange: Exchange, parts: McpProxyParts): Promise<void> {
  const { request, response } = exchange;
  const caller = readCaller(request, parts.settings.identity);
  if (!caller.ok) {
    parts.reporter.refused("identity", caller.deny.reason);
    return sendFault(response, { status: 403, message: caller.deny.reason });
  }
  if (parts.sessions.isForeign(caller.value)) return sendFault(response, foreignSession(null, parts));
  const known = withImpliedSession(caller.value, request, parts);
  const scope = stoppableScope(exchange, scopeOf(known));
  const isResumption = scope !== null && request.headers["last-event-id"] !== undefined;
  const deny = isResumption ? resumptionFault(known, parts) : newFault(scope, parts);
  if (deny !== null) return sendFault(response, killedRequest(request.method ?? "", deny, parts));
  const unowed = { caller: known, scope, isResumption, body: null, isNotice: false };
  return serveUnowed(exchange, parts, unowed);
}

function newFault(scope: Scope | null, parts: McpProxyParts): ReturnType<typeof killedFault> {
  return scope === null ? null : killedFault(scope, parts);
}
