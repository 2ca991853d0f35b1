import type { IncomingMessage, ServerResponse } from "node:http";
import { HEADER_MISMATCH, type RpcRequest } from "@svc/contract/mcp-message";
import { FAILED, rpcError } from "@svc/contract/mcp-refusal";
import {
  EVENT_STREAM_TYPE,
  isAnswerTo,
  JSON_TYPE,
  mediaTypeOf,
  parseAnswer,
  type RpcAnswer,
  readAnswerBody,
} from "./answer-body.ts";
import { answerHeaders, leadsAway } from "./forwarded-headers.ts";
import { isRecord } from "./is-record.ts";
import type { McpProxySettings } from "./mcp-proxy-settings.ts";
import { relayBytes, relayPieces } from "./relay-stream.ts";
import { renderRefusal } from "./render-verdict.ts";
import type { Running } from "./running.ts";
import { sendMessage } from "./send-message.ts";
import { eventOfOurs, SseScanner } from "./sse-scanner.ts";
import type { UpstreamAnswer, UpstreamFailure } from "./upstream.ts";

/** A request whose client waits for the answer to its id. */
export interface Owed {
  readonly request: RpcRequest;
  readonly response: ServerResponse;
  readonly running: Running;
  readonly settings: McpProxySettings;
}

/** How it ended. `unknown`: the server may still be at work, or may have been. */
export type Ending =
  | { readonly kind: "answered"; readonly answer: RpcAnswer; readonly incoming: IncomingMessage }
  | { readonly kind: "not_executed" | "refused" | "stopped" | "unknown" };

/**
 * Passes a server's answer on. Whatever becomes of it, the client gets the answer to its id, from the server
 * or from us, unless a stream can be resumed or the server chose a status of its own.
 */
export async function relayOwed(owed: Owed, answer: UpstreamAnswer): Promise<Ending> {
  if (answer.kind === "failed") return failed(owed, answer.failure);
  const { incoming } = answer;
  const status = incoming.statusCode ?? 0;
  const { upstream } = owed.settings;
  if (status >= 200 && status <= 299) return relaySuccess(owed, incoming);
  if (status < 400 && leadsAway(incoming, upstream)) {
    incoming.destroy();
    return failed(owed, invalid("sends its client to another server"));
  }
  if (status === 400 && mediaTypeOf(incoming) === JSON_TYPE) return relayRefusal(owed, incoming);
  await relayBytes(incoming, owed.response, answerHeaders(incoming, upstream));
  return { kind: "refused" };
}

function relaySuccess(owed: Owed, incoming: IncomingMessage): Promise<Ending> {
  const isEncoded = (incoming.headers["content-encoding"] ?? "identity") !== "identity";
  const type = isEncoded ? "" : mediaTypeOf(incoming);
  if (type === EVENT_STREAM_TYPE) return relayEvents(owed, incoming);
  if (type === JSON_TYPE) return relayJson(owed, incoming);
  incoming.destroy();
  const what = "answered a request with neither JSON nor events; HTTP+SSE of 2024-11-05 is not carried";
  return Promise.resolve(failed(owed, invalid(what)));
}

async function relayJson(owed: Owed, incoming: IncomingMessage): Promise<Ending> {
  const body = await readAnswerBody(incoming, owed.settings.upstreamTimeoutMs);
  if (body.kind === "late")
    return failed(owed, { ...invalid("did not finish in time"), code: "upstream_timeout" });
  if (body.kind !== "body") return failed(owed, invalid(`gave a ${body.kind.replace("_", " ")} answer`));
  const answer = parseAnswer(body.bytes.toString("utf8"));
  if (answer === null || !isAnswerTo(answer, owed.request.id))
    return failed(owed, invalid("did not answer this id"));
  sendWhole(owed, incoming, body.bytes);
  return { kind: "answered", answer, incoming };
}

/** A 400 passes as it is; one that says that headers and body disagree means that nothing ran. */
async function relayRefusal(owed: Owed, incoming: IncomingMessage): Promise<Ending> {
  const body = await readAnswerBody(incoming, owed.settings.upstreamTimeoutMs);
  if (body.kind !== "body") return failed(owed, invalid("gave half a refusal"));
  sendWhole(owed, incoming, body.bytes);
  const error = parseAnswer(body.bytes.toString("utf8"))?.["error"];
  const isMismatch = isRecord(error) && error["code"] === HEADER_MISMATCH;
  return { kind: isMismatch ? "not_executed" : "refused" };
}

function sendWhole({ response, settings }: Owed, incoming: IncomingMessage, bytes: Buffer): void {
  if (response.destroyed) return;
  const headers = answerHeaders(incoming, settings.upstream, bytes.byteLength);
  response.writeHead(incoming.statusCode ?? 200, headers).end(bytes);
}

async function relayEvents(owed: Owed, incoming: IncomingMessage): Promise<Ending> {
  const { request, response, running, settings } = owed;
  let answer: RpcAnswer | null = null;
  let canResume = false;
  const scanner = new SseScanner(({ data, hasId }) => {
    canResume ||= hasId;
    const message = answer === null ? parseAnswer(data) : null;
    if (message !== null && isAnswerTo(message, request.id)) answer = message;
  });
  response.writeHead(incoming.statusCode ?? 200, answerHeaders(incoming, settings.upstream));
  response.flushHeaders();
  const look = (chunk: Buffer): boolean => {
    scanner.push(chunk);
    return true;
  };
  await relayPieces(incoming, response, look);
  const end = (document: object): void =>
    void response.end(eventOfOurs("message", JSON.stringify(document), scanner.place));
  const deny = running.stopped();
  if (answer !== null) response.end();
  else if (deny !== null) end(renderRefusal(request, deny, settings.denyAs));
  else if (canResume) response.end();
  else end(failureDocument(request, invalid("ended its stream without an answer")));
  if (answer !== null) return { kind: "answered", answer, incoming };
  if (deny === null && canResume) running.linger();
  return { kind: deny === null ? "unknown" : "stopped" };
}

function failed({ request, response, running, settings }: Owed, failure: UpstreamFailure): Ending {
  const deny = running.stopped();
  if (deny !== null) {
    sendMessage(response, renderRefusal(request, deny, settings.denyAs));
    return { kind: failure.notSent ? "not_executed" : "stopped" };
  }
  sendMessage(response, failureDocument(request, failure));
  return { kind: failure.notSent ? "not_executed" : "unknown" };
}

/** No verdict: the call was allowed, and what became of it is not known here. */
function failureDocument({ id }: RpcRequest, { code, reason }: UpstreamFailure): object {
  return rpcError(id, FAILED, reason, { reason, reason_code: code });
}

function invalid(what: string): UpstreamFailure {
  return { code: "upstream_invalid", reason: `The MCP server ${what}.`, notSent: false };
}
