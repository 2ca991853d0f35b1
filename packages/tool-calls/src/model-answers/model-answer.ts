import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { strictText } from "@svc/text/strict-text";
import { readAnswerEvents } from "../event-streams/answer-events.ts";
import { assembleChatChunks } from "../event-streams/assemble-chat-chunks.ts";
import { assembleMessagesEvents } from "../event-streams/assemble-messages-events.ts";
import { assembleResponsesEvents } from "../event-streams/assemble-responses-events.ts";
import { readEventStream } from "../event-streams/read-event-stream.ts";
import { renderWithCalls, type StreamedCall } from "../event-streams/streamed-calls.ts";
import { malformed, ok, type Result } from "../result.ts";
import { anthropicCalls } from "./anthropic-calls.ts";
import { type ModelCall, putArguments } from "./model-call.ts";
import { openaiCalls } from "./openai-calls.ts";

/** The interfaces of models whose answers are read. */
export type ModelInterface = "openai" | "anthropic";

type ToolCall = Pick<ModelCall, "tool" | "args">;

/** An answer of a model, and its judged calls. */
export interface ModelAnswer {
  /** In the order of the answer. */
  readonly calls: readonly ToolCall[];
  /**
   * The answer in canonical bytes, from which every reader reads the same.
   * @param shaped the rewritten arguments of each call, null where they stay
   */
  readonly render: (shaped: readonly (JsonObject | null)[]) => Result<Uint8Array>;
}

const CALLS = { openai: openaiCalls, anthropic: anthropicCalls } as const;

/** Reads an answer that came in one piece. */
export function readModelAnswer(
  bytes: Uint8Array,
  kind: ModelInterface,
  maxBytes: number,
): Result<ModelAnswer> {
  const document = parseStrictJson(bytes, maxBytes);
  if (!document.ok) return malformed("body", `strict JSON: ${document.fault.expected}`, document.fault.found);
  const root = document.value;
  if (!isJsonObject(root)) return malformed("body", "a JSON object", "another value");
  const found = CALLS[kind](root);
  if (!found.ok) return found;
  const calls = found.value;
  return ok({
    calls: calls.map(toolCall),
    render: (shaped) => {
      const edited = putArguments(root, calls, shaped);
      return edited.ok ? ok(Buffer.from(strictText(edited.value))) : edited;
    },
  });
}

/** Reads an answer that came as a stream of events, all of it. */
export function readStreamedAnswer(
  bytes: Uint8Array,
  kind: ModelInterface,
  maxBytes: number,
): Result<ModelAnswer> {
  const stream = readEventStream(bytes, maxBytes);
  if (!stream.ok) return stream;
  const events = readAnswerEvents(stream.value, maxBytes);
  if (!events.ok) return events;
  const calls = assemble(kind, events.value.values);
  if (!calls.ok) return calls;
  return ok({
    calls: calls.value.map(toolCall),
    render: (shaped) => renderWithCalls(events.value, calls.value, shaped),
  });
}

/** The call without its places, which only the reader uses. */
function toolCall({ tool, args }: ToolCall): ToolCall {
  return { tool, args };
}

function assemble(kind: ModelInterface, values: readonly JsonObject[]): Result<readonly StreamedCall[]> {
  if (kind === "anthropic") return assembleMessagesEvents(values);
  // Events of responses say their type, chunks of chat completions have none.
  return values[0]?.["type"] === undefined ? assembleChatChunks(values) : assembleResponsesEvents(values);
}
