import { isStateless } from "@svc/tool-calls/mcp-message";
import { renderEvent } from "@svc/tool-calls/server-sent-event";
import { renderFailure, renderRefusal } from "../calls/render-verdict.ts";
import { answerHeaders } from "../headers/forwarded-headers.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import type { OnAnswer } from "../memory/open-requests.ts";
import type { ServerAnswer } from "../upstream/server-answer.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";
import {
  type Ending,
  endingOf,
  invalidAnswer,
  type PendingAnswer,
  type RelayParts,
} from "./pending-answer.ts";
import { relayPieces } from "./relay-stream.ts";
import type { RpcAnswer } from "./server-message.ts";
import { SseFilter } from "./sse-filter.ts";
import { guardStream } from "./stream-guard.ts";

/**
 * Passes an answer on that comes as events. If the stream ends without the answer, the last event is ours.
 */
export async function relayEvents(
  pending: PendingAnswer,
  parts: RelayParts,
  incoming: ServerAnswer,
): Promise<Ending> {
  const { request, response, caller, running } = pending;
  let answer: RpcAnswer | null = null;
  let canResume = false;
  const take = (given: RpcAnswer): RpcAnswer | null => {
    if (answer !== null || given["id"] !== request.id) return null;
    answer = given;
    parts.openRequests.take(caller, request.id);
    return pending.onAnswer(given);
  };
  const onLaterAnswer = settling(running, pending.onAnswer);
  const isKilledTask = (id: string): boolean => parts.tasks.isKilled(caller, id);
  const onAsked = (id: unknown, method: string): void =>
    parts.questions.asked(caller, id, { method, call: pending.call });
  const rule = guardStream({ mayAsk: !isStateless(request), onAsked, take, isKilledTask }, parts.reporter);
  const filter = new SseFilter((event) => {
    // The client may come back before the proxy knows that this connection is lost.
    if (event.hasId && !canResume) parts.openRequests.opened(caller, request.id, onLaterAnswer);
    canResume ||= event.hasId;
    return rule(event);
  });
  response.writeHead(incoming.statusCode, answerHeaders(incoming, parts.settings.upstream));
  response.flushHeaders();
  const isBroken = await relayPieces(incoming, response, (chunk) => {
    const passing = filter.push(chunk);
    return filter.isOverfull ? null : passing;
  });
  if (answer === null) {
    const failure = isBroken ? BROKEN : invalidAnswer("ended its stream without an answer");
    if (canResume && running.stopped() === null) running.linger();
    // Clients of the stateless revision do not resume a stream, whatever ids its events have.
    const isResumed = canResume && !filter.isOverfull && !isStateless(request);
    return endUnanswered(pending, parts, isResumed ? null : failure);
  }
  response.end();
  return { kind: "answered", answer };
}

/**
 * For an answer that comes on a resumed stream. It must not hold on to the request: it may be kept for long.
 */
function settling(running: RunningCall, onAnswer: OnAnswer): OnAnswer {
  return (given) => {
    running.settle();
    return onAnswer(given);
  };
}

const BROKEN: UpstreamFailure = {
  code: "upstream_unreachable",
  reason: "The connection to the MCP server broke in its answer; the call may have run.",
  notSent: false,
};

/** @param failure null when the client can resume the stream for its answer */
function endUnanswered(
  { request, response, caller, running }: PendingAnswer,
  { settings, openRequests, reporter }: RelayParts,
  failure: UpstreamFailure | null,
): Ending {
  const deny = running.stopped();
  const document = deny === null ? null : renderRefusal(request, deny, settings.denyAs);
  const last = document ?? (failure === null ? null : renderFailure(request, failure, settings.denyAs));
  if (last !== null) openRequests.take(caller, request.id);
  if (deny === null && failure !== null && !running.signal.aborted) reporter.upstreamFailed(failure.code);
  if (!response.writableEnded)
    response.end(last === null ? undefined : renderEvent("message", JSON.stringify(last)));
  return deny === null ? { kind: "unknown" } : endingOf(deny);
}
