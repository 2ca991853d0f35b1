import { openaiCalls } from "@svc/tool-calls/openai-calls";
import type { Result } from "@svc/tool-calls/result";
import type { HttpMessage } from "../stream/stream-state.ts";
import { readJsonBody } from "./json-body.ts";
import { MAX_ANSWER_BYTES, messageOf } from "./model-answer.ts";
import type { ParsedMessage } from "./parsed-message.ts";

/** Reads the tool calls off an answer of the chat completions or the responses interface. */
export function parseOpenai(message: HttpMessage): Result<ParsedMessage> {
  const body = readJsonBody(message, MAX_ANSWER_BYTES);
  return body.ok ? messageOf(body.value, openaiCalls(body.value)) : body;
}
