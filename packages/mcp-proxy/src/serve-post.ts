import type { IncomingMessage } from "node:http";
import {
  type ClientMessage,
  HEADER_MISMATCH,
  INVALID_REQUEST,
  isStateless,
  METHOD_NOT_FOUND,
  type RpcRequest,
} from "@svc/contract/mcp-message";
import { isNotification, type Treatment, treatmentOf } from "@svc/contract/mcp-methods";
import { rpcError } from "@svc/contract/mcp-refusal";
import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import { type Caller, readCaller } from "./caller.ts";
import type { McpProxyParts } from "./mcp-proxy-parts.ts";
import { mirrorFault } from "./mirrored-headers.ts";
import type { OnAnswer } from "./open-requests.ts";
import { relayOwed } from "./owed-answer.ts";
import { readPost } from "./read-post.ts";
import { renderRefusal } from "./render-verdict.ts";
import { resumptionFault, scopeOf } from "./resumption.ts";
import { type HttpFault, sendFault, sendMessage } from "./send-message.ts";
import { type Exchange, sendUpstream, whileRunning } from "./send-upstream.ts";
import { serveCall } from "./serve-call.ts";
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
  return { status: 404, message: "This session was given to another agent.", id: rpc?.id ?? null };
}

/** A request in the form of a notification would run without an answer in some servers. */
function messageFault(message: ClientMessage): HttpFault | null {
  if (message.kind !== "notification" || isNotification(message.method)) return null;
  const what = "Expected an id: only methods below notifications/ go without one.";
  return { status: 400, code: INVALID_REQUEST, message: what };
}

interface Posted extends Exchange {
  readonly rpc: RpcRequest;
  readonly caller: Caller;
  readonly bytes: Buffer;
}

/** A defect of ours is told by the id, too. What is half written ends: it must not look whole. */
async function serveSafely(posted: Posted, parts: McpProxyParts): Promise<void> {
  try {
    await serveRequest(posted, parts);
  } catch (error) {
    parts.reporter.defect(error);
    if (posted.response.headersSent) posted.response.destroy();
    else sendDeny(posted, parts, { rpc: posted.rpc, deny: failClosedDeny("internal_error", DEFECT) });
  }
}

const DEFECT = "The proxy failed on this request.";

async function serveRequest(posted: Posted, parts: McpProxyParts): Promise<void> {
  const { rpc, caller, request, response } = posted;
  const mismatch = mirrorFault(request, rpc);
  if (mismatch !== null)
    return sendFault(response, { status: 400, code: HEADER_MISMATCH, message: mismatch, id: rpc.id });
  const treatment = treatmentOf(rpc.method);
  if (treatment === null) return sendUnknown(posted);
  if (treatment === "resume") {
    const deny = resumptionFault(caller, parts);
    if (deny !== null) return sendDeny(posted, parts, { rpc, deny });
  }
  return isGoverned(treatment, parts.settings.strict) ? serveCall(posted, parts) : passRequest(posted, parts);
}

function isGoverned(treatment: Treatment, strict: boolean): boolean {
  switch (treatment) {
    case "call":
      return true;
    case "work":
    case "resume":
      return strict;
    case "pass":
      return false;
  }
}

/** The stateless era tells an unknown method by the status, too. */
function sendUnknown({ rpc, response }: Posted): void {
  const document = rpcError(rpc.id, METHOD_NOT_FOUND, "Method not found: this proxy does not know it.");
  sendMessage(response, document, isStateless(rpc) ? 404 : 200);
}

function sendDeny(
  { response }: Exchange,
  { settings }: McpProxyParts,
  { rpc, deny }: { readonly rpc: RpcRequest; readonly deny: DenyVerdict },
): void {
  sendMessage(response, renderRefusal(rpc, deny, settings.denyAs));
}

/** Passes a request on as it came, byte for byte. */
async function passRequest(posted: Posted, parts: McpProxyParts): Promise<void> {
  const { rpc, caller, bytes, response } = posted;
  const { settings, running: calls, openRequests } = parts;
  const onAnswer = learnerOf(rpc, parts);
  const onLeftOpen = (): void => openRequests.left(caller, rpc.id, onAnswer);
  const running = calls.start({ scope: treatmentOf(rpc.method) === "resume" ? scopeOf(caller) : null });
  await whileRunning(running, response, async () => {
    const timeoutMs = settings.upstreamTimeoutMs;
    const answer = await sendUpstream(posted, parts, { running, body: bytes, timeoutMs });
    if (answer.kind === "answer" && rpc.method === "initialize") learnSession(posted, parts, answer.incoming);
    await relayOwed({ request: rpc, response, running, parts, onAnswer, onLeftOpen }, answer);
  });
}

/** What the proxy remembers of answers to a method: which arguments headers repeat. */
function learnerOf({ method }: RpcRequest, { mirrors }: McpProxyParts): OnAnswer {
  return (answer) => {
    if (method === "tools/list") mirrors.learn(answer["result"]);
    return answer;
  };
}

/** To whom the server gave which session. */
function learnSession({ caller }: Posted, { sessions }: McpProxyParts, incoming: IncomingMessage): void {
  const session = incoming.headers["mcp-session-id"];
  if (typeof session === "string" && incoming.statusCode === 200) sessions.began(session, caller.agentId);
}
