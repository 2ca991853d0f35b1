import { renderEvent } from "@svc/tool-calls/server-sent-event";
import type { Caller } from "../headers/caller.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { relayPieces } from "./relay-stream.ts";
import type { Exchange } from "../upstream/mcp-server.ts";
import type { ServerAnswer } from "../upstream/server-answer.ts";
import type { RpcAnswer } from "./server-message.ts";
import { SseFilter } from "./sse-filter.ts";
import { guardStream } from "./stream-guard.ts";

/** A stream that no request waits for. */
export interface UnownedStream {
  readonly incoming: ServerAnswer;
  readonly headers: string[];
  readonly caller: Caller;
  /** Whether the client came back for what a stream before it left open. */
  readonly isResumption: boolean;
}

/** What a stream of the old transport is ended with: an event of a type that no client waits for. */
const REFUSED_TRANSPORT = "HTTP+SSE of 2024-11-05 is not carried by this proxy: use Streamable HTTP";

/**
 * Passes on the events of a stream that its rules let pass. One whose first event names an endpoint belongs
 * to HTTP+SSE of 2024-11-05, whose answers come apart from their requests, and whose endpoint may be the
 * server's own address. It is ended before that event.
 */
export async function passStream(
  { response }: Exchange,
  parts: McpProxyParts,
  stream: UnownedStream,
): Promise<void> {
  const { incoming, headers, caller } = stream;
  const take = (answer: RpcAnswer): RpcAnswer | null => takeOpen(answer, parts, stream);
  const isKilledTask = (id: string): boolean => parts.tasks.isKilled(caller, id);
  // Which of its calls a server asks for is not told on a stream of the session.
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
    parts.logger.warn({}, "the MCP server speaks HTTP+SSE of 2024-11-05, which is not carried");
    response.end(renderEvent("refused", REFUSED_TRANSPORT));
  } else response.end();
}

/**
 * The answer to a request whose own stream ended before it. What a session from before our start left open is
 * not known, and a client that came back for it must not wait for ever.
 */
function takeOpen(
  answer: RpcAnswer,
  { openRequests, sessions }: McpProxyParts,
  { caller, isResumption }: UnownedStream,
): RpcAnswer | null {
  if (!isResumption) return null;
  const onAnswer = openRequests.take(caller, answer["id"]);
  if (onAnswer !== undefined) return onAnswer(answer);
  return caller.mcpSession === null || sessions.isKnown(caller) ? null : answer;
}
