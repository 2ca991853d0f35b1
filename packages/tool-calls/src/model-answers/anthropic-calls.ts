import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { malformed, ok, type Result } from "../result.ts";
import { checkMembers, checkType, type KnownMembers } from "./check-members.ts";
import { all, boundedCalls, type ModelCall, objectsIn, readName } from "./model-call.ts";

/** Members of a whole answer. */
export const ANTHROPIC_ANSWER: KnownMembers = {
  where: "answer",
  known: ["type", "content", "error"],
  foreign: [
    ["choices", "output", "message", "content_blocks", "content_block", "delta", "candidates"],
    ["tool_calls", "function_call", "tool_use"],
  ].flat(),
};

const BLOCK: KnownMembers = {
  where: "content",
  known: ["type", "name", "input"],
  foreign: ["tool_calls", "function_call", "function", "tool_use"],
};

/** Blocks that no client executes: texts, and calls that the provider has executed itself. */
const NO_CALLS = [
  ["text", "thinking", "redacted_thinking", "compaction", "fallback", "container_upload"],
  ["server_tool_use", "mcp_tool_use", "mcp_tool_result", "mcp_tool_listing", "tool_search_tool_result"],
  ["web_search_tool_result", "web_fetch_tool_result", "advisor_tool_result"],
  ["code_execution_tool_result", "bash_code_execution_tool_result"],
  ["text_editor_code_execution_tool_result"],
].flat();

const KNOWN_BLOCKS: ReadonlySet<string> = new Set(["tool_use", ...NO_CALLS]);

/** The blocks of such an answer that chat completions may repeat. They hold its calls elsewhere. */
export const TYPES_WITHOUT_CALLS: ReadonlySet<string> = new Set(NO_CALLS);

/**
 * The `tool_use` blocks in an answer of the messages interface, without the calls that the provider executed
 * itself. An answer in which a call could stand elsewhere, or in a block of unknown type, is refused.
 */
export function anthropicCalls(root: JsonObject): Result<readonly ModelCall[]> {
  const checked = checkMembers(root, ANTHROPIC_ANSWER);
  if (!checked.ok) return checked;
  if (root["content"] === undefined) {
    if (isJsonObject(root["error"])) return ok([]);
    return malformed("answer", "content or an error", "none of them");
  }
  const blocks = objectsIn(root["content"], "content");
  if (!blocks.ok) return blocks;
  const found = all(blocks.value.map((block, index) => blockCalls(block, index)));
  return found.ok ? boundedCalls(found.value.flat()) : found;
}

function blockCalls(block: JsonObject, index: number): Result<readonly ModelCall[]> {
  const checked = checkAnthropicBlock(block);
  if (!checked.ok) return checked;
  return block["type"] === "tool_use" ? all([readUse(block, index)]) : ok([]);
}

/** Refuses a block that could be a call without being a `tool_use`. */
export function checkAnthropicBlock(block: JsonObject): Result<null> {
  const checked = checkMembers(block, BLOCK);
  return checked.ok ? checkType(block, KNOWN_BLOCKS, "content") : checked;
}

function readUse(block: JsonObject, index: number): Result<ModelCall> {
  const tool = readName(block["name"], "name");
  if (!tool.ok) return tool;
  const args = block["input"];
  if (!isJsonObject(args)) return malformed("input", "an object", "another value");
  return ok({ tool: tool.value, args, path: ["content", index, "input"], form: "object" });
}
