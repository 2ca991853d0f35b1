import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { activeKillDeny } from "../kills/kill-deny.ts";
import { callerScope } from "../kills/scope.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { passThroughScope, servePassThrough } from "../relay/pass-through.ts";
import type { Reporting } from "../reporting.ts";
import type { Exchange } from "../upstream/mcp-server.ts";
import { identifyCaller } from "./identify-caller.ts";
import { readPost } from "./read-post.ts";
import { renderRefusal } from "./render-verdict.ts";
import { foreignSession, killedRequest } from "./request-faults.ts";
import { sendFault, sendMessage } from "./send-message.ts";
import type { SentMessage, SentRequest } from "./sent-message.ts";
import { serveNotification } from "./serve-notification.ts";
import { serveReply } from "./serve-reply.ts";
import { serveRequest } from "./serve-request.ts";

/** Serves a POST: reads its body, then who sends it, and hands it on by what it is. */
export async function servePost(exchange: Exchange, parts: McpProxyParts): Promise<void> {
  const { request, response, path } = exchange;
  const post = await readPost(request, path.bodies);
  if (post.kind === "fault") {
    parts.reporter.refused("message", post.fault.message);
    return sendFault(response, post.fault);
  }
  const rpc = post.kind === "message" && post.message.kind === "request" ? post.message : null;
  const sender = identifyCaller(request, parts);
  if (sender.kind === "denied") {
    if (rpc !== null) return sendDeny(exchange, parts, { rpc, deny: sender.deny });
    return sendFault(response, { status: 403, message: sender.deny.reason });
  }
  if (sender.kind === "foreign") return sendFault(response, foreignSession(rpc?.id ?? null, parts.reporter));
  const sent = { ...exchange, caller: sender.caller, bytes: post.bytes };
  if (post.kind === "document") return serveDocument(sent, parts);
  switch (post.message.kind) {
    case "request":
      return serveWithAnswer({ ...sent, rpc: post.message }, parts);
    case "notification":
      return serveNotification(sent, parts, post.message);
    case "response":
      return serveReply(sent, parts, post.message);
  }
}

/** Serves a form, or JSON that is not a message: on a path of OAuth, or one that the operator added. */
async function serveDocument(sent: SentMessage, parts: McpProxyParts): Promise<void> {
  const { caller, bytes, response } = sent;
  const scope = passThroughScope(sent, callerScope(caller));
  const deny = scope === null ? null : activeKillDeny(scope, parts);
  if (deny !== null) return sendFault(response, killedRequest("a document", deny, parts.reporter));
  const passing = { caller, scope, isResumption: false, body: bytes, isNotice: false };
  return servePassThrough(sent, parts, passing);
}

/**
 * Answers a defect of the proxy with the request's id. A half written answer is cut: it must not look whole.
 */
async function serveWithAnswer(sent: SentRequest, parts: McpProxyParts): Promise<void> {
  parts.pending.add({ request: sent.rpc, response: sent.response });
  try {
    await serveRequest(sent, parts);
  } catch (error) {
    parts.reporter.defect(error);
    if (sent.response.headersSent) sent.response.destroy();
    else sendDeny(sent, parts, { rpc: sent.rpc, deny: failClosedDeny("internal_error", DEFECT) });
  }
}

const DEFECT = "The proxy failed on this request.";

function sendDeny(
  { response }: Exchange,
  { settings }: Pick<Reporting, "settings">,
  { rpc, deny }: { readonly rpc: RpcRequest; readonly deny: DenyVerdict },
): void {
  sendMessage(response, renderRefusal(rpc, deny, settings.denyAs));
}
