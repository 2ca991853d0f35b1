import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { malformed, type Read, read } from "@svc/decision-client/refusal";
import type { HttpMessage } from "../stream/stream-state.ts";
import { readJsonBody } from "./json-body.ts";
import { all, MAX_ANSWER_BYTES, type ModelCall, messageOf, objectsIn, readName } from "./model-calls.ts";
import type { ParsedMessage } from "./parsed-message.ts";

/**
 * Reads the `tool_use` blocks off an answer of the messages interface; what the provider executed itself
 * passes.
 */
export function parseAnthropic(message: HttpMessage): Read<ParsedMessage> {
  const body = readJsonBody(message, MAX_ANSWER_BYTES);
  if (!body.ok) return body;
  const root = body.value;
  if (root["content"] === undefined) {
    if (isJsonObject(root["error"])) return messageOf(root, read([]));
    return malformed("answer", "content or an error", "none of them");
  }
  const blocks = objectsIn(root["content"], "content");
  if (!blocks.ok) return blocks;
  const uses = blocks.value.flatMap((block, index) =>
    block["type"] === "tool_use" ? [readUse(block, index)] : [],
  );
  return messageOf(root, all(uses));
}

function readUse(block: JsonObject, index: number): Read<ModelCall> {
  const tool = readName(block["name"], "name");
  if (!tool.ok) return tool;
  const args = block["input"];
  if (!isJsonObject(args)) return malformed("input", "an object", "another value");
  return read({ tool: tool.value, args, path: ["content", index, "input"], form: "object" });
}
