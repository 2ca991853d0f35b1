import type { Result } from "@svc/tool-calls/result";
import { MAX_ANSWER_BYTES } from "../shapes/model-answer.ts";
import type { ParsedMessage } from "../shapes/parsed-message.ts";
import type { HttpMessage } from "../stream/stream-state.ts";
import { type AnswerEvents, readAnswerEvents } from "./answer-events.ts";
import { assembleChatChunks } from "./assemble-chat-chunks.ts";
import { assembleMessagesEvents } from "./assemble-messages-events.ts";
import { assembleResponsesEvents } from "./assemble-responses-events.ts";
import { readEventStream } from "./read-event-stream.ts";
import { messageOfEvents, type StreamedCall } from "./streamed-calls.ts";

/** Reads the tool calls off a streamed answer of the chat completions or the responses interface. */
export function parseOpenaiEvents(message: HttpMessage): Result<ParsedMessage> {
  return parseEvents(message, (values) =>
    // Events of responses say their type, chunks of chat completions have none.
    values[0]?.["type"] === undefined ? assembleChatChunks(values) : assembleResponsesEvents(values),
  );
}

/** Reads the `tool_use` blocks off a streamed answer of the messages interface. */
export function parseAnthropicEvents(message: HttpMessage): Result<ParsedMessage> {
  return parseEvents(message, assembleMessagesEvents);
}

function parseEvents(
  message: HttpMessage,
  assemble: (values: AnswerEvents["values"]) => Result<readonly StreamedCall[]>,
): Result<ParsedMessage> {
  const events = readEventStream(message, MAX_ANSWER_BYTES);
  if (!events.ok) return events;
  const answer = readAnswerEvents(events.value, MAX_ANSWER_BYTES);
  return answer.ok ? messageOfEvents(answer.value, assemble(answer.value.values)) : answer;
}
