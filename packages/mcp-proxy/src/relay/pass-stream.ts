import { renderEvent } from "@svc/tool-calls/server-sent-event";
import type { Caller } from "../headers/caller.ts";
import type { Memory } from "../memory/memory.ts";
import type { Reporting } from "../reporting.ts";
import type { Exchange } from "../upstream/mcp-server.ts";
import type { ServerAnswer } from "../upstream/server-answer.ts";
import { relayPieces } from "./relay-stream.ts";
import type { RpcAnswer } from "./server-message.ts";
import { SseFilter } from "./sse-filter.ts";
import { guardStream } from "./stream-guard.ts";

/** A stream that does not answer one request: the stream of a session, or a resumed one. */
export interface SessionStream {
  readonly incoming: ServerAnswer;
  readonly headers: string[];
  readonly caller: Caller;
  /** Whether the client came back for what an earlier stream left open. */
  readonly isResumption: boolean;
}

export type PassStreamParts = Reporting & Pick<Memory, "openRequests" | "questions" | "sessions" | "tasks">;

/** Ends a stream of the old transport, in an event of a type that no client waits for. */
const REFUSED_TRANSPORT = "HTTP+SSE of 2024-11-05 is not carried by this proxy: use Streamable HTTP";

/**
 * Passes on the events that the rules of the stream allow. A stream whose first event names an endpoint
 * belongs to HTTP+SSE of 2024-11-05. Its answers come apart from their requests, and its endpoint may be the
 * server's own address, so the proxy ends it before that event.
 */
export async function passStream(
  { response }: Exchange,
  parts: PassStreamParts,
  stream: SessionStream,
): Promise<void> {
  const { incoming, headers, caller } = stream;
  const take = (answer: RpcAnswer): RpcAnswer | null => takeOpen(answer, parts, stream);
  const isKilledTask = (id: string): boolean => parts.tasks.isKilled(caller, id);
  // A question on the stream of a session does not say which call asks.
  const onAsked = (id: unknown, method: string): void =>
    parts.questions.asked(caller, id, { method, call: null });
  const mayAsk = caller.mcpSession !== null;
  const rule = guardStream({ mayAsk, onAsked, take, isKilledTask }, parts.reporter);
  let isFirst = true;
  let isOldTransport = false;
  const filter = new SseFilter((event) => {
    isOldTransport ||= isFirst && event.type === "endpoint";
    isFirst = false;
    return isOldTransport ? "drop" : rule(event);
  });
  response.writeHead(incoming.statusCode, headers);
  response.flushHeaders();
  await relayPieces(incoming, response, (chunk) => {
    const passing = filter.push(chunk);
    return isOldTransport || filter.isOverfull ? null : passing;
  });
  if (isOldTransport) {
    parts.reporter.refusedTransport();
    response.end(renderEvent("refused", REFUSED_TRANSPORT));
  } else response.end();
}

/**
 * The answer to a request whose own stream ended before it came. The proxy does not know which requests a
 * session from before its start left open, and a client that resumes one of those must not wait forever.
 */
function takeOpen(
  answer: RpcAnswer,
  { openRequests, sessions }: PassStreamParts,
  { caller, isResumption }: SessionStream,
): RpcAnswer | null {
  if (!isResumption) return null;
  const onAnswer = openRequests.take(caller, answer["id"]);
  if (onAnswer !== undefined) return onAnswer(answer);
  return caller.mcpSession === null || sessions.isKnown(caller) ? null : answer;
}
