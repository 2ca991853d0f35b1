import { activeKillDeny } from "../kills/kill-deny.ts";
import { streamResumptionDeny } from "../kills/resumption-deny.ts";
import { callerScope } from "../kills/scope.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { passThroughScope, servePassThrough } from "../relay/pass-through.ts";
import type { Exchange } from "../upstream/mcp-server.ts";
import { identifyCaller } from "./identify-caller.ts";
import { foreignSession, killedRequest } from "./request-faults.ts";
import { sendFault } from "./send-message.ts";

/** Serves GET, HEAD, DELETE and OPTIONS: streams of the server, the end of a session, metadata. */
export async function serveBodyless(exchange: Exchange, parts: McpProxyParts): Promise<void> {
  const { request, response } = exchange;
  const sender = identifyCaller(request, parts);
  if (sender.kind === "denied") return sendFault(response, { status: 403, message: sender.deny.reason });
  if (sender.kind === "foreign") return sendFault(response, foreignSession(null, parts.reporter));
  const { caller } = sender;
  const scope = passThroughScope(exchange, callerScope(caller));
  const isResumption = scope !== null && request.headers["last-event-id"] !== undefined;
  const newDeny = (): ReturnType<typeof activeKillDeny> =>
    scope === null ? null : activeKillDeny(scope, parts);
  const deny = isResumption ? streamResumptionDeny(caller, parts) : newDeny();
  if (deny !== null) return sendFault(response, killedRequest(request.method ?? "", deny, parts.reporter));
  const passing = { caller, scope, isResumption, body: null, isNotice: false };
  await servePassThrough(exchange, parts, passing);
  if (request.method === "DELETE" && isAccepted(response.statusCode)) parts.judge.sessionEnded(caller);
}

function isAccepted(status: number): boolean {
  return status >= 200 && status <= 299;
}
