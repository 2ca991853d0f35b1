import type { IncomingMessage } from "node:http";
import { FAILED } from "@svc/contract/mcp-refusal";
import type { DenyVerdict } from "@svc/contract/verdict";
import { EVENT_STREAM_TYPE, isEncoded, mediaTypeOf } from "./answer-body.ts";
import { type Caller, readCaller } from "./caller.ts";
import { answerHeaders, leadsAway } from "./forwarded-headers.ts";
import type { McpProxyParts } from "./mcp-proxy-parts.ts";
import { passStream } from "./pass-stream.ts";
import { relayBytes } from "./relay-stream.ts";
import { killedFault, resumptionFault, scopeOf } from "./resumption.ts";
import type { Running } from "./running.ts";
import { sendFault } from "./send-message.ts";
import { type Exchange, sendUpstream, whileRunning } from "./send-upstream.ts";

export interface Unowed {
  readonly caller: Caller;
  /** Whether it fetches what a call left behind, so that a kill stops it. */
  readonly isResumption: boolean;
  readonly body: Buffer | null;
  /**
   * Nobody waits for what becomes of a notification, and a status that says so would end the session of some.
   */
  readonly isNotice: boolean;
}

/** Serves GET, HEAD, DELETE and OPTIONS: streams of the server, the end of a session, metadata. */
export async function serveBodyless(exchange: Exchange, parts: McpProxyParts): Promise<void> {
  const { request, response } = exchange;
  const caller = readCaller(request, parts.settings.identity);
  if (!caller.ok) return sendFault(response, { status: 403, message: caller.deny.reason });
  if (parts.sessions.isForeign(caller.value)) {
    parts.reporter.found("session_foreign", "a session that was given to another agent is named");
    return sendFault(response, {
      status: 404,
      message: "This session is not yours, or forgotten: begin another.",
    });
  }
  const isResumption = request.headers["last-event-id"] !== undefined;
  const deny = isResumption
    ? resumptionFault(caller.value, parts)
    : streamFault(request, caller.value, parts);
  if (deny !== null) return sendFault(response, { status: 403, message: deny.reason });
  return serveUnowed(exchange, parts, { caller: caller.value, isResumption, body: null, isNotice: false });
}

/** Why a stream does not begin; null: it may, or none is asked for. */
function streamFault({ method }: IncomingMessage, caller: Caller, parts: McpProxyParts): DenyVerdict | null {
  return method === "GET" ? killedFault(scopeOf(caller), parts) : null;
}

/** Passes on what asks for no answer to an id, and whatever answer comes. */
export async function serveUnowed(exchange: Exchange, parts: McpProxyParts, unowed: Unowed): Promise<void> {
  // Streams of a session bring what calls left behind, and questions to the client's user and model.
  const isStoppable = unowed.isResumption || exchange.request.method === "GET";
  const running = parts.running.start({ scope: isStoppable ? scopeOf(unowed.caller) : null });
  await whileRunning(running, exchange.response, () => passOn(exchange, parts, { ...unowed, running }));
}

async function passOn(
  { request, response }: Exchange,
  parts: McpProxyParts,
  { caller, isResumption, body, isNotice, running }: Unowed & { readonly running: Running },
): Promise<void> {
  const { upstream, upstreamTimeoutMs } = parts.settings;
  // Servers may begin a stream only when they have something to say.
  const timeoutMs = body === null ? null : upstreamTimeoutMs;
  const answer = await sendUpstream({ request, response }, parts, { running, body, timeoutMs });
  const deny = running.stopped();
  if (answer.kind === "failed" && deny !== null)
    return sendFault(response, { status: 403, message: deny.reason });
  if (answer.kind === "failed") {
    if (!running.signal.aborted) parts.reporter.upstreamFailed(answer.failure.code);
    parts.logger.warn({ reason_code: answer.failure.code, method: request.method }, answer.failure.reason);
    if (isNotice) response.writeHead(202).end();
    else sendFault(response, { status: 502, code: FAILED, message: answer.failure.reason });
    return;
  }
  const { incoming } = answer;
  const refuse = (message: string): void => {
    incoming.destroy();
    sendFault(response, { status: 502, code: FAILED, message });
  };
  if (body !== null && leadsAway(incoming, upstream)) return refuse("The MCP server leads elsewhere.");
  const headers = answerHeaders(incoming, upstream);
  if (mediaTypeOf(incoming) !== EVENT_STREAM_TYPE) return relayBytes(incoming, response, headers);
  if (isEncoded(incoming)) return refuse("The MCP server sends events in a coding that nobody asked for.");
  return passStream({ request, response }, parts, { incoming, headers, caller, isResumption });
}
