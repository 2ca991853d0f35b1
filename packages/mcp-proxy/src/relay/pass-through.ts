import { FAILED } from "@svc/tool-calls/mcp-refusal";
import type { OutcomeStatus } from "@svc/contract/outcome";
import { EVENT_STREAM_TYPE, isEncoded, mediaTypeOf } from "./answer-body.ts";
import type { Caller } from "../headers/caller.ts";
import { answerHeaders, leadsAway } from "../headers/forwarded-headers.ts";
import type { Scope } from "../kills/kill-scopes.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { passStream } from "./pass-stream.ts";
import { relayBytes } from "./relay-stream.ts";
import { killedRequest } from "../calls/request-faults.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import { sendFault } from "../calls/send-message.ts";
import { type Exchange, sendUpstream, whileRunning } from "../upstream/mcp-server.ts";
import type { UpstreamAnswer } from "../upstream/upstream.ts";

export interface Unowed {
  readonly caller: Caller;
  /** What a kill ends it by; null: OAuth, which no kill ends. */
  readonly scope: Scope | null;
  /** Whether it fetches what a call left behind, so that a kill stops it. */
  readonly isResumption: boolean;
  readonly body: Buffer | null;
  /**
   * Nobody waits for what becomes of a notification, and a status that says so would end the session of some.
   */
  readonly isNotice: boolean;
}

/**
 * What a kill keeps a request from its server by; null: nothing does. OAuth runs no tool, and a browser's
 * question before a request (OPTIONS) runs nothing at all.
 */
export function stoppableScope({ request, path }: Exchange, scope: Scope): Scope | null {
  return path.kind === "authorization" || request.method === "OPTIONS" ? null : scope;
}

/** Passes on what asks for no answer to an id, and whatever answer comes. */
export async function serveUnowed(exchange: Exchange, parts: McpProxyParts, unowed: Unowed): Promise<void> {
  const running = parts.running.start({ scope: unowed.scope });
  await whileRunning(running, exchange.response, () => passOn(exchange, parts, { ...unowed, running }));
}

/** @returns what became of it, as far as the server's answer says; null: it cannot be told */
export async function passOn(
  exchange: Exchange,
  parts: McpProxyParts,
  { caller, isResumption, body, isNotice, running }: Unowed & { readonly running: RunningCall },
): Promise<OutcomeStatus | null> {
  const { response } = exchange;
  const { upstream, upstreamTimeoutMs } = parts.settings;
  // Servers may begin a stream only when they have something to say.
  const timeoutMs = body === null ? null : upstreamTimeoutMs;
  const answer = await sendUpstream(exchange, parts, { running, body, timeoutMs });
  if (answer.kind === "failed") return tellFailure(exchange, parts, { answer, isNotice, running });
  const { incoming } = answer;
  const refuse = (message: string): "failed" => {
    incoming.destroy();
    sendFault(response, { status: 502, code: FAILED, message });
    return "failed";
  };
  if (body !== null && leadsAway(incoming, upstream)) return refuse("The MCP server leads elsewhere.");
  const headers = answerHeaders(incoming, upstream);
  const isTaken = incoming.statusCode >= 200 && incoming.statusCode <= 299;
  if (mediaTypeOf(incoming) !== EVENT_STREAM_TYPE) await relayBytes(incoming, response, headers);
  else if (isEncoded(incoming))
    return refuse("The MCP server sends events in a coding that nobody asked for.");
  else await passStream(exchange, parts, { incoming, headers, caller, isResumption });
  return isTaken ? "succeeded" : "failed";
}

interface Failed {
  readonly answer: Extract<UpstreamAnswer, { kind: "failed" }>;
  readonly isNotice: boolean;
  readonly running: RunningCall;
}

function tellFailure(
  { request, response }: Exchange,
  parts: McpProxyParts,
  { answer: { failure }, isNotice, running }: Failed,
): OutcomeStatus | null {
  const deny = running.stopped();
  if (deny === null && !running.signal.aborted) {
    parts.reporter.upstreamFailed(failure.code);
    parts.logger.warn({ reason_code: failure.code, method: request.method }, failure.reason);
  }
  if (isNotice) response.writeHead(202).end();
  else if (deny !== null) sendFault(response, killedRequest(request.method ?? "", deny, parts));
  else sendFault(response, { status: 502, code: FAILED, message: failure.reason });
  if (failure.notSent) return "not_executed";
  return deny === null ? null : "revoked";
}
