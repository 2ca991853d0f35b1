import { type ClientMessage, INVALID_REQUEST, type RpcRequest } from "@svc/contract/mcp-message";
import { isNotification } from "@svc/contract/mcp-methods";
import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import { readCaller } from "./caller.ts";
import type { McpProxyParts } from "./mcp-proxy-parts.ts";
import { readPost } from "./read-post.ts";
import { renderRefusal } from "./render-verdict.ts";
import { type HttpFault, sendFault, sendMessage } from "./send-message.ts";
import type { Exchange } from "./send-upstream.ts";
import { type Posted, serveRequest } from "./serve-request.ts";
import { serveUnowed } from "./serve-unowed.ts";

/** Serves a POST: one message, or a form. */
export async function servePost(exchange: Exchange, parts: McpProxyParts): Promise<void> {
  const { request, response } = exchange;
  const post = await readPost(request);
  if (post.kind === "fault") return sendFault(response, post.fault);
  const caller = readCaller(request, parts.settings.identity);
  const rpc = post.kind === "message" && post.message.kind === "request" ? post.message : null;
  if (!caller.ok) {
    if (rpc === null) return sendFault(response, { status: 403, message: caller.deny.reason });
    return sendDeny(exchange, parts, { rpc, deny: caller.deny });
  }
  if (parts.sessions.isForeign(caller.value)) return sendFault(response, foreignSession(rpc, parts));
  if (rpc !== null) return serveSafely({ ...exchange, rpc, caller: caller.value, bytes: post.bytes }, parts);
  const fault = post.kind === "message" ? messageFault(post.message) : null;
  if (fault !== null) return sendFault(response, fault);
  const isNotice = post.kind === "message" && post.message.kind === "notification";
  return serveUnowed(exchange, parts, {
    caller: caller.value,
    isResumption: false,
    body: post.bytes,
    isNotice,
  });
}

/** To its owner's clients a session that is not theirs does not exist. */
function foreignSession(rpc: RpcRequest | null, { reporter }: McpProxyParts): HttpFault {
  reporter.found("session_foreign", "a session that was given to another agent is named");
  return {
    status: 404,
    message: "This session is not yours, or forgotten: begin another.",
    id: rpc?.id ?? null,
  };
}

/** A request in the form of a notification would run without an answer in some servers. */
function messageFault(message: ClientMessage): HttpFault | null {
  if (message.kind !== "notification" || isNotification(message.method)) return null;
  const what = "Expected an id: only methods below notifications/ go without one.";
  return { status: 400, code: INVALID_REQUEST, message: what };
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
