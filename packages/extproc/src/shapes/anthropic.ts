import { anthropicCalls } from "@svc/tool-calls/anthropic-calls";
import type { Result } from "@svc/tool-calls/result";
import type { HttpMessage } from "../stream/stream-state.ts";
import { readJsonBody } from "./json-body.ts";
import { MAX_ANSWER_BYTES, messageOf } from "./model-answer.ts";
import type { ParsedMessage } from "./parsed-message.ts";

/** Reads the `tool_use` blocks off an answer of the messages interface. */
export function parseAnthropic(message: HttpMessage): Result<ParsedMessage> {
  const body = readJsonBody(message, MAX_ANSWER_BYTES);
  return body.ok ? messageOf(body.value, anthropicCalls(body.value)) : body;
}
