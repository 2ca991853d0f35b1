import type { OutcomeStatus } from "@svc/contract/outcome-status";
import { FAILED } from "@svc/tool-calls/rpc-error";
import { killedRequest } from "../calls/request-faults.ts";
import { sendFault } from "../calls/send-message.ts";
import type { Caller } from "../headers/caller.ts";
import { answerHeaders, leadsAway } from "../headers/forwarded-headers.ts";
import { type RunningCall, whileRunning } from "../kills/running-calls.ts";
import type { Scope } from "../kills/scope.ts";
import type { Judging, Sending } from "../mcp-proxy-parts.ts";
import type { Reporting } from "../reporting.ts";
import type { Exchange } from "../upstream/mcp-server.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";
import { EVENT_STREAM_TYPE, isEncoded, mediaTypeOf } from "./answer-body.ts";
import { type PassStreamParts, passStream } from "./pass-stream.ts";
import { relayBytes } from "./relay-stream.ts";

/** A request that passes without a verdict, and whose client waits for no answer to an id. */
export interface PassThrough {
  readonly caller: Caller;
  /** The scope in which a kill switch ends it; null: none does. */
  readonly scope: Scope | null;
  /** Whether it resumes a stream, and so may fetch what a call left behind. */
  readonly isResumption: boolean;
  readonly body: Buffer | null;
  /** A notification. Some clients end their session on an error status, so a failure is answered with 202. */
  readonly isNotice: boolean;
}

export type PassThroughParts = PassStreamParts & Pick<Judging, "running"> & Pick<Sending, "server">;

/**
 * The scope in which a kill switch refuses a request without a verdict; null: none does. OAuth runs no tool,
 * and OPTIONS, the question of a browser before its request, runs nothing at all.
 */
export function passThroughScope({ request, path }: Exchange, scope: Scope): Scope | null {
  return path.kind === "authorization" || request.method === "OPTIONS" ? null : scope;
}

/** Passes a request on, and whatever the server answers. */
export async function servePassThrough(
  exchange: Exchange,
  parts: PassThroughParts,
  passing: PassThrough,
): Promise<void> {
  const running = parts.running.start({ scope: passing.scope });
  await whileRunning(running, exchange.response, async () => {
    await relayPassThrough(exchange, parts, { ...passing, running });
  });
}

/** @returns how it ended, as far as the server's answer says; null: unknown */
export async function relayPassThrough(
  exchange: Exchange,
  parts: Omit<PassThroughParts, "running">,
  { caller, isResumption, body, isNotice, running }: PassThrough & { readonly running: RunningCall },
): Promise<OutcomeStatus | null> {
  const { response } = exchange;
  const { upstream, upstreamTimeoutMs } = parts.settings;
  // A server may begin a stream of the session only when it has something to say.
  const timeoutMs = body === null ? null : upstreamTimeoutMs;
  const answer = await parts.server.send(exchange, { running, body, timeoutMs });
  if (answer.kind === "failed")
    return sendFailure(exchange, parts, { failure: answer.failure, isNotice, running });
  const { incoming } = answer;
  const refuse = (message: string): "failed" => {
    incoming.destroy();
    sendFault(response, { status: 502, code: FAILED, message });
    return "failed";
  };
  if (body !== null && leadsAway(incoming, upstream))
    return refuse("The MCP server sends its client to another server.");
  const headers = answerHeaders(incoming, upstream);
  const isAccepted = incoming.statusCode >= 200 && incoming.statusCode <= 299;
  if (mediaTypeOf(incoming) !== EVENT_STREAM_TYPE) await relayBytes(incoming, response, headers);
  else if (isEncoded(incoming))
    return refuse("The MCP server sends events in a content coding that the proxy did not ask for.");
  else await passStream(exchange, parts, { incoming, headers, caller, isResumption });
  return isAccepted ? "succeeded" : "failed";
}

interface Failed {
  readonly failure: UpstreamFailure;
  readonly isNotice: boolean;
  readonly running: RunningCall;
}

function sendFailure(
  { request, response }: Exchange,
  { reporter }: Pick<Reporting, "reporter">,
  { failure, isNotice, running }: Failed,
): OutcomeStatus | null {
  const deny = running.stopped();
  if (deny === null && !running.signal.aborted) reporter.upstreamFailed(failure.code);
  if (isNotice) response.writeHead(202).end();
  else if (deny !== null) sendFault(response, killedRequest(request.method ?? "", deny, reporter));
  else sendFault(response, { status: 502, code: FAILED, message: failure.reason });
  if (failure.notSent) return "not_executed";
  return deny?.reason_code === "kill_switch" ? "revoked" : null;
}
