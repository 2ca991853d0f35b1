import type { ServerResponse } from "node:http";
import { HEADER_MISMATCH, isStateless, type RpcRequest } from "@svc/tool-calls/mcp-message";
import { renderEvent } from "@svc/tool-calls/server-sent-event";
import {
  EVENT_STREAM_TYPE,
  isEncoded,
  JSON_TYPE,
  mediaTypeOf,
  readAnswerBody,
  textOf,
} from "./answer-body.ts";
import type { Caller } from "../headers/caller.ts";
import { answerHeaders, leadsAway } from "../headers/forwarded-headers.ts";
import { isRecord } from "./is-record.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import type { OnAnswer } from "../memory/open-requests.ts";
import type { AskingCall } from "../memory/open-questions.ts";
import { relayBytes, relayPieces } from "./relay-stream.ts";
import { renderFailure, renderRefusal } from "../calls/render-verdict.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import { sendMessage } from "../calls/send-message.ts";
import type { ServerAnswer } from "../upstream/server-answer.ts";
import { type RpcAnswer, readServerMessage } from "./server-message.ts";
import { SseFilter } from "./sse-filter.ts";
import { guardStream } from "./stream-guard.ts";
import type { UpstreamAnswer, UpstreamFailure } from "../upstream/upstream.ts";

/** A request whose client waits for the answer to its id. */
export interface Owed {
  readonly request: RpcRequest;
  readonly response: ServerResponse;
  readonly running: RunningCall;
  readonly caller: Caller;
  readonly parts: Pick<McpProxyParts, "settings" | "reporter" | "tasks" | "openRequests" | "questions">;
  /** The call that was judged; null for a request that passed unjudged. */
  readonly call: AskingCall | null;
  /** Sees the answer before the client does, and says what the client gets. */
  readonly onAnswer: OnAnswer;
}

/** How it ended. `unknown`: the server may still be at work, or may have been. */
export type Ending =
  | { readonly kind: "answered"; readonly answer: RpcAnswer }
  | { readonly kind: "not_executed" | "refused" | "stopped" | "unknown" };

/**
 * Passes a server's answer on. Whatever becomes of it, the client gets the answer to its id, from the server
 * or from us, unless a stream can be resumed or the server chose a status of its own.
 */
export async function relayOwed(owed: Owed, answer: UpstreamAnswer): Promise<Ending> {
  if (answer.kind === "failed") return failed(owed, answer.failure);
  const { incoming } = answer;
  if (owed.response.writableEnded) {
    // We stop, and said so in its place.
    incoming.destroy();
    return { kind: "unknown" };
  }
  const status = incoming.statusCode;
  const { upstream } = owed.parts.settings;
  if (status >= 200 && status <= 299) return relaySuccess(owed, incoming);
  if (status < 400 && leadsAway(incoming, upstream)) {
    incoming.destroy();
    return failed(owed, invalid("sends its client to another server"));
  }
  if (status === 400 && mediaTypeOf(incoming) === JSON_TYPE) return relayRefusal(owed, incoming);
  await relayBytes(incoming, owed.response, answerHeaders(incoming, upstream));
  return { kind: "refused" };
}

function relaySuccess(owed: Owed, incoming: ServerAnswer): Promise<Ending> {
  const type = isEncoded(incoming) ? "" : mediaTypeOf(incoming);
  if (type === EVENT_STREAM_TYPE) return relayEvents(owed, incoming);
  if (type === JSON_TYPE) return relayJson(owed, incoming);
  incoming.destroy();
  return Promise.resolve(failed(owed, invalid(unreadable(incoming))));
}

/** Longest part of a header of the server that a message repeats, in characters. */
const MAX_QUOTED = 80;

function unreadable(incoming: ServerAnswer): string {
  const status = String(incoming.statusCode);
  const coding = incoming.header("content-encoding")?.slice(0, MAX_QUOTED);
  if (isEncoded(incoming)) return `answered in the coding ${String(coding)}, which was not asked for`;
  if (incoming.statusCode === 202)
    return "answered a request with 202 and nothing in it; HTTP+SSE of 2024-11-05 is not carried";
  const type = mediaTypeOf(incoming).slice(0, MAX_QUOTED);
  const form = type === "" ? "no content type" : type;
  return `answered a request with ${status} and ${form}, neither JSON nor events`;
}

async function relayJson(owed: Owed, incoming: ServerAnswer): Promise<Ending> {
  const body = await readAnswerBody(incoming, owed.parts.settings.upstreamTimeoutMs);
  if (body.kind === "late")
    return failed(owed, { ...invalid("did not finish in time"), code: "upstream_timeout" });
  if (body.kind !== "body") return failed(owed, invalid(`gave a ${body.kind.replace("_", " ")} answer`));
  const message = readServerMessage(textOf(body.bytes));
  if (message.kind !== "answer" || message.answer["id"] !== owed.request.id)
    return failed(owed, invalid("did not answer this id"));
  const { answer } = message;
  const told = owed.onAnswer(answer);
  sendWhole(owed, incoming, told === answer ? body.bytes : Buffer.from(JSON.stringify(told)));
  return { kind: "answered", answer };
}

/** A 400 passes as it is; one that says that headers and body disagree means that nothing ran. */
async function relayRefusal(owed: Owed, incoming: ServerAnswer): Promise<Ending> {
  const body = await readAnswerBody(incoming, owed.parts.settings.upstreamTimeoutMs);
  if (body.kind !== "body") return failed(owed, invalid("gave half a refusal"));
  sendWhole(owed, incoming, body.bytes);
  const message = readServerMessage(textOf(body.bytes));
  const error = message.kind === "answer" ? message.answer["error"] : null;
  const isMismatch = isRecord(error) && error["code"] === HEADER_MISMATCH;
  return { kind: isMismatch ? "not_executed" : "refused" };
}

function sendWhole({ response, parts }: Owed, incoming: ServerAnswer, bytes: Buffer): void {
  if (response.destroyed || response.writableEnded) return;
  const headers = answerHeaders(incoming, parts.settings.upstream, bytes.byteLength);
  response.writeHead(incoming.statusCode, headers);
  // A text of one character per byte leaves together with the head, in one write.
  if (bytes.byteLength <= MAX_TEXT_BYTES) response.end(bytes.toString("latin1"), "latin1");
  else response.end(bytes);
}

/** Largest answer that is sent as a text, in bytes: copying a larger one costs more than a write saves. */
const MAX_TEXT_BYTES = 16 * 1024;

async function relayEvents(owed: Owed, incoming: ServerAnswer): Promise<Ending> {
  const { request, response, caller, parts } = owed;
  let answer: RpcAnswer | null = null;
  let canResume = false;
  const take = (given: RpcAnswer): RpcAnswer | null => {
    if (answer !== null || given["id"] !== request.id) return null;
    answer = given;
    parts.openRequests.take(caller, request.id);
    return owed.onAnswer(given);
  };
  const onLaterAnswer = settling(owed.running, owed.onAnswer);
  const isKilledTask = (id: string): boolean => parts.tasks.isKilled(caller, id);
  const onAsked = (id: unknown, method: string): void =>
    parts.questions.asked(caller, id, { method, call: owed.call });
  const rule = guardStream({ mayAsk: !isStateless(request), onAsked, take, isKilledTask }, parts.reporter);
  const filter = new SseFilter((event) => {
    // The client may come back before this connection is known to be lost.
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
    const failure = isBroken ? BROKEN : invalid("ended its stream without an answer");
    if (canResume && owed.running.stopped() === null) owed.running.linger();
    // Clients of the stateless era know no way back to a stream, whatever ids it has.
    const isResumed = canResume && !filter.isOverfull && !isStateless(request);
    return endUnanswered(owed, isResumed ? null : failure);
  }
  response.end();
  return { kind: "answered", answer };
}

/** For an answer that comes on a resumed stream. Holds on to nothing of the request that it answers. */
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

/** The last event is ours. @param failure null: the client can come back for its answer */
function endUnanswered(owed: Owed, failure: UpstreamFailure | null): Ending {
  const { request, response, caller, running, parts } = owed;
  const { denyAs } = parts.settings;
  const deny = running.stopped();
  const document = deny === null ? null : renderRefusal(request, deny, denyAs);
  const last = document ?? (failure === null ? null : renderFailure(request, failure, denyAs));
  if (last !== null) parts.openRequests.take(caller, request.id);
  if (deny === null && failure !== null && !running.signal.aborted)
    parts.reporter.upstreamFailed(failure.code);
  if (!response.writableEnded)
    response.end(last === null ? undefined : renderEvent("message", JSON.stringify(last)));
  return { kind: deny === null ? "unknown" : "stopped" };
}

function failed({ request, response, running, parts }: Owed, failure: UpstreamFailure): Ending {
  const deny = running.stopped();
  if (deny === null) {
    if (!running.signal.aborted) parts.reporter.upstreamFailed(failure.code);
    sendMessage(response, renderFailure(request, failure, parts.settings.denyAs));
    return { kind: failure.notSent ? "not_executed" : "unknown" };
  }
  sendMessage(response, renderRefusal(request, deny, parts.settings.denyAs));
  return { kind: failure.notSent ? "not_executed" : "stopped" };
}

function invalid(what: string): UpstreamFailure {
  return { code: "upstream_invalid", reason: `The MCP server ${what}.`, notSent: false };
}
