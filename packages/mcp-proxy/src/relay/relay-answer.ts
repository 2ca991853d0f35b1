import { HEADER_MISMATCH } from "@svc/tool-calls/mcp-message";
import { answerHeaders, leadsAway } from "../headers/forwarded-headers.ts";
import type { ServerAnswer } from "../upstream/server-answer.ts";
import type { UpstreamAnswer } from "../upstream/upstream.ts";
import {
  EVENT_STREAM_TYPE,
  isEncoded,
  JSON_TYPE,
  mediaTypeOf,
  readAnswerBody,
  textOf,
} from "./answer-body.ts";
import { isRecord } from "./is-record.ts";
import {
  type Ending,
  failPendingAnswer,
  invalidAnswer,
  type PendingAnswer,
  type RelayParts,
} from "./pending-answer.ts";
import { relayEvents } from "./relay-events.ts";
import { relayBytes } from "./relay-stream.ts";
import { readServerMessage } from "./server-message.ts";

/**
 * Passes a server's answer on. Whatever happens, the client gets an answer to its id, from the server
 * or from the proxy. The exceptions are a stream that the client can resume, and a status that the
 * server chose itself.
 */
export async function relayAnswer(
  pending: PendingAnswer,
  parts: RelayParts,
  answer: UpstreamAnswer,
): Promise<Ending> {
  if (answer.kind === "failed") return failPendingAnswer(pending, parts, answer.failure);
  const { incoming } = answer;
  if (pending.response.writableEnded) {
    // The proxy stops, and has answered the client already.
    incoming.destroy();
    return { kind: "unknown" };
  }
  const status = incoming.statusCode;
  const { upstream } = parts.settings;
  if (status >= 200 && status <= 299) return relaySuccess(pending, parts, incoming);
  if (status < 400 && leadsAway(incoming, upstream)) {
    incoming.destroy();
    return failPendingAnswer(pending, parts, invalidAnswer("sends its client to another server"));
  }
  if (status === 400 && mediaTypeOf(incoming) === JSON_TYPE) return relayRefusal(pending, parts, incoming);
  await relayBytes(incoming, pending.response, answerHeaders(incoming, upstream));
  return { kind: "refused" };
}

function relaySuccess(pending: PendingAnswer, parts: RelayParts, incoming: ServerAnswer): Promise<Ending> {
  const type = isEncoded(incoming) ? "" : mediaTypeOf(incoming);
  if (type === EVENT_STREAM_TYPE) return relayEvents(pending, parts, incoming);
  if (type === JSON_TYPE) return relayJson(pending, parts, incoming);
  incoming.destroy();
  return Promise.resolve(failPendingAnswer(pending, parts, invalidAnswer(unreadable(incoming))));
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

async function relayJson(pending: PendingAnswer, parts: RelayParts, incoming: ServerAnswer): Promise<Ending> {
  const body = await readAnswerBody(incoming, parts.settings.upstreamTimeoutMs);
  if (body.kind === "late") {
    const failure = { ...invalidAnswer("did not finish in time"), code: "upstream_timeout" } as const;
    return failPendingAnswer(pending, parts, failure);
  }
  if (body.kind !== "body")
    return failPendingAnswer(pending, parts, invalidAnswer(`gave a ${body.kind.replace("_", " ")} answer`));
  const message = readServerMessage(textOf(body.bytes));
  if (message.kind !== "answer" || message.answer["id"] !== pending.request.id)
    return failPendingAnswer(pending, parts, invalidAnswer("did not answer this id"));
  const { answer } = message;
  const forwarded = pending.onAnswer(answer);
  const bytes = forwarded === answer ? body.bytes : Buffer.from(JSON.stringify(forwarded));
  sendWhole(pending, parts, { incoming, bytes });
  return { kind: "answered", answer };
}

/** Passes a 400 on unchanged. One that says that headers contradict the body means that nothing ran. */
async function relayRefusal(
  pending: PendingAnswer,
  parts: RelayParts,
  incoming: ServerAnswer,
): Promise<Ending> {
  const body = await readAnswerBody(incoming, parts.settings.upstreamTimeoutMs);
  if (body.kind !== "body") return failPendingAnswer(pending, parts, invalidAnswer("gave half a refusal"));
  sendWhole(pending, parts, { incoming, bytes: body.bytes });
  const message = readServerMessage(textOf(body.bytes));
  const error = message.kind === "answer" ? message.answer["error"] : null;
  const isMismatch = isRecord(error) && error["code"] === HEADER_MISMATCH;
  return { kind: isMismatch ? "not_executed" : "refused" };
}

interface WholeAnswer {
  readonly incoming: ServerAnswer;
  readonly bytes: Buffer;
}

function sendWhole(
  { response }: PendingAnswer,
  { settings }: RelayParts,
  { incoming, bytes }: WholeAnswer,
): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(incoming.statusCode, answerHeaders(incoming, settings.upstream, bytes.byteLength));
  // Node writes a Latin-1 string together with the head, in one packet. Latin-1 keeps every byte as it is.
  if (bytes.byteLength <= MAX_TEXT_BYTES) response.end(bytes.toString("latin1"), "latin1");
  else response.end(bytes);
}

/** Largest answer that is sent as a string, in bytes: copying a larger one costs more than a write saves. */
const MAX_TEXT_BYTES = 16 * 1024;
