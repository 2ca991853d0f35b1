import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import { readCaller } from "../headers/caller.ts";
import { withImpliedSession } from "../memory/implied-sessions.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { readPost } from "./read-post.ts";
import { renderRefusal } from "./render-verdict.ts";
import { foreignSession, killedRequest } from "./request-faults.ts";
import { killedFault, scopeOf } from "../kills/resumption-deny.ts";
import { sendFault, sendMessage } from "./send-message.ts";
import type { Exchange } from "../upstream/mcp-server.ts";
import { type Sent, serveNotification } from "./serve-notification.ts";
import { serveReply } from "./serve-reply.ts";
import { type Posted, serveRequest } from "./serve-request.ts";
import { serveUnowed, stoppableScope } from "../relay/pass-through.ts";

/** Serves a POST: one message, or on other paths than the endpoint a document of OAuth. */
export async function servePost(exchange: Exchange, parts: McpProxyParts): Promise<void> {
  const { request, response, path } = exchange;
  const post = await readPost(request, path.bodies);
  if (post.kind === "fault") {
    parts.reporter.refused("message", post.fault.message);
    return sendFault(response, post.fault);
  }
  const rpc = post.kind === "message" && post.message.kind === "request" ? post.message : null;
  const caller = readCaller(request, parts.settings.identity);
  if (!caller.ok) {
    parts.reporter.refused("identity", caller.deny.reason);
    if (rpc === null) return sendFault(response, { status: 403, message: caller.deny.reason });
    return sendDeny(exchange, parts, { rpc, deny: caller.deny });
  }
  if (parts.sessions.isForeign(caller.value))
    return sendFault(response, foreignSession(rpc?.id ?? null, parts));
  const known = withImpliedSession(caller.value, request, parts);
  const sent = { ...exchange, caller: known, bytes: post.bytes };
  if (post.kind === "document") return serveDocument(sent, parts);
  switch (post.message.kind) {
    case "request":
      return serveSafely({ ...sent, rpc: post.message }, parts);
    case "notification":
      return serveNotification(sent, parts, post.message);
    case "response":
      return serveReply(sent, parts, post.message);
  }
}

/** A form, or JSON that is not a message: on a path of OAuth, or one that the operator added. */
async function serveDocument(sent: Sent, parts: McpProxyParts): Promise<void> {
  const { caller, bytes, response } = sent;
  const scope = stoppableScope(sent, scopeOf(caller));
  const deny = scope === null ? null : killedFault(scope, parts);
  if (deny !== null) return sendFault(response, killedRequest("a document", deny, parts));
  return serveUnowed(sent, parts, { caller, scope, isResumption: false, body: bytes, isNotice: false });
}

/** A defect of ours is told by the id, too. What is half written ends: it must not look whole. */
async function serveSafely(posted: Posted, parts: McpProxyParts): Promise<void> {
  parts.pending.add({ request: posted.rpc, response: posted.response });
  try {
    await serveRequest(posted, parts);
  } catch (error) {
    parts.reporter.defect(error);
    if (posted.response.headersSent) posted.response.destroy();
    else sendDeny(posted, parts, { rpc: posted.rpc, deny: failClosedDeny("internal_error", DEFECT) });
  }
}

const DEFECT = "The proxy failed on this request.";

function sendDeny(
  { response }: Exchange,
  { settings }: McpProxyParts,
  { rpc, deny }: { readonly rpc: RpcRequest; readonly deny: DenyVerdict },
): void {
  sendMessage(response, renderRefusal(rpc, deny, settings.denyAs));
}
