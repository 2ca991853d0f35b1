import type { IncomingMessage } from "node:http";
import { FAILED } from "@svc/contract/mcp-refusal";
import { EVENT_STREAM_TYPE, mediaTypeOf } from "./answer-body.ts";
import { readCaller } from "./caller.ts";
import { answerHeaders, leadsAway } from "./forwarded-headers.ts";
import type { Scope } from "./kill-scopes.ts";
import type { McpProxyParts } from "./mcp-proxy-parts.ts";
import { relayBytes, relayPieces } from "./relay-stream.ts";
import { resumptionFault, scopeOf } from "./resumption.ts";
import type { Running } from "./running.ts";
import { sendFault } from "./send-message.ts";
import { type Exchange, sendUpstream, whileRunning } from "./send-upstream.ts";
import { eventOfOurs, SseScanner } from "./sse-scanner.ts";

export interface Unowed {
  /** What a kill stops it by; null: nothing does. */
  readonly scope: Scope | null;
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
  if (parts.sessions.isForeign(caller.value))
    return sendFault(response, { status: 404, message: "This session was given to another agent." });
  const isResumption = request.headers["last-event-id"] !== undefined;
  const deny = isResumption ? resumptionFault(caller.value, parts) : null;
  if (deny !== null) return sendFault(response, { status: 403, message: deny.reason });
  if (request.method === "DELETE") parts.sessions.ended(caller.value);
  return serveUnowed(exchange, parts, {
    scope: isResumption ? scopeOf(caller.value) : null,
    body: null,
    isNotice: false,
  });
}

/** Passes on what asks for no answer to an id, and whatever answer comes. */
export async function serveUnowed(exchange: Exchange, parts: McpProxyParts, unowed: Unowed): Promise<void> {
  const running = parts.running.start({ scope: unowed.scope });
  await whileRunning(running, exchange.response, () => passOn(exchange, parts, { ...unowed, running }));
}

async function passOn(
  { request, response }: Exchange,
  parts: McpProxyParts,
  { body, isNotice, running }: Unowed & { readonly running: Running },
): Promise<void> {
  const { upstream, upstreamTimeoutMs } = parts.settings;
  // Servers may begin a stream only when they have something to say.
  const timeoutMs = body === null ? null : upstreamTimeoutMs;
  const answer = await sendUpstream({ request, response }, parts, { running, body, timeoutMs });
  if (answer.kind === "failed") {
    parts.logger.warn({ reason_code: answer.failure.code, method: request.method }, answer.failure.reason);
    if (isNotice) response.writeHead(202).end();
    else sendFault(response, { status: 502, code: FAILED, message: answer.failure.reason });
    return;
  }
  const { incoming } = answer;
  if (body !== null && leadsAway(incoming, upstream)) {
    incoming.destroy();
    return sendFault(response, { status: 502, code: FAILED, message: "The MCP server leads elsewhere." });
  }
  const headers = answerHeaders(incoming, upstream);
  if (mediaTypeOf(incoming) === EVENT_STREAM_TYPE)
    return passStream({ request, response }, parts, { incoming, headers });
  return relayBytes(incoming, response, headers);
}

/** What a stream of the old transport is ended with: an event of a type that no client waits for. */
const REFUSED_TRANSPORT = "HTTP+SSE of 2024-11-05 is not carried by this proxy: use Streamable HTTP";

/**
 * A stream whose first event names an endpoint belongs to HTTP+SSE of 2024-11-05, whose answers come apart
 * from their requests, and whose endpoint may be the server's own address. It is ended before that event.
 */
async function passStream(
  { response }: Exchange,
  { logger }: McpProxyParts,
  { incoming, headers }: { readonly incoming: IncomingMessage; readonly headers: string[] },
): Promise<void> {
  let isFirst = true;
  let isOldTransport = false;
  const scanner = new SseScanner(({ type }) => {
    isOldTransport ||= isFirst && type === "endpoint";
    isFirst = false;
  });
  response.writeHead(incoming.statusCode ?? 200, headers);
  response.flushHeaders();
  let { place } = scanner;
  await relayPieces(incoming, response, (chunk) => {
    if (!isFirst) return true;
    ({ place } = scanner);
    scanner.push(chunk);
    return !isOldTransport;
  });
  if (isOldTransport) {
    logger.warn({}, "the MCP server speaks HTTP+SSE of 2024-11-05, which is not carried");
    response.end(eventOfOurs("refused", REFUSED_TRANSPORT, place));
  } else response.end();
}
