import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { malformed, type Read, read } from "../refusal.ts";
import { all, boundedCalls, type ModelCall, objectsIn, readName } from "./model-call.ts";

/**
 * The `tool_use` blocks in an answer of the messages interface; what the provider executed itself is none of
 * them.
 */
export function anthropicCalls(root: JsonObject): Read<readonly ModelCall[]> {
  if (root["content"] === undefined) {
    if (isJsonObject(root["error"])) return read([]);
    return malformed("answer", "content or an error", "none of them");
  }
  const blocks = objectsIn(root["content"], "content");
  if (!blocks.ok) return blocks;
  const uses = all(
    blocks.value.flatMap((block, index) => (block["type"] === "tool_use" ? [readUse(block, index)] : [])),
  );
  return uses.ok ? boundedCalls(uses.value) : uses;
}

function readUse(block: JsonObject, index: number): Read<ModelCall> {
  const tool = readName(block["name"], "name");
  if (!tool.ok) return tool;
  const args = block["input"];
  if (!isJsonObject(args)) return malformed("input", "an object", "another value");
  return read({ tool: tool.value, args, path: ["content", index, "input"], form: "object" });
}
