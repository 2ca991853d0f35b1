import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { ok, type Result } from "../result.ts";
import { TYPES_WITHOUT_CALLS } from "./anthropic-calls.ts";
import { checkMembers, checkType, type KnownMembers } from "./check-members.ts";
import { all, objectsIn } from "./model-call.ts";

/** Items of the responses interface that are neither a call nor end with `_call`. */
export const ITEMS_WITHOUT_CALLS: ReadonlySet<string> = new Set(
  [
    ["message", "agent_message", "reasoning", "compaction", "additional_tools", "mcp_list_tools"],
    ["mcp_approval_response", "program", "program_output", "tool_search_output"],
    ["function_call_output", "custom_tool_call_output", "computer_call_output", "shell_call_output"],
    ["local_shell_call_output", "apply_patch_call_output", "multi_agent_call_output"],
  ].flat(),
);

/** Parts of a message's content, including those of other providers. */
export const CONTENT_TYPES: ReadonlySet<string> = new Set(
  [
    [...TYPES_WITHOUT_CALLS, "refusal", "reasoning", "output_text", "reasoning_text", "summary_text"],
    ["input_text", "encrypted_content", "reference", "citation", "document", "search_result"],
    ["image", "image_url", "input_image", "output_image", "computer_screenshot", "video_url"],
    ["audio", "audio_url", "input_audio", "output_audio", "file", "file_url", "input_file", "document_url"],
  ].flat(),
);

const CALLS = ["tool_calls", "function_call", "tool_use"];

export const ANSWER: KnownMembers = {
  where: "answer",
  known: ["choices", "output", "error"],
  foreign: [...CALLS, "message", "content", "content_blocks", "delta", "candidates"],
};

export const CHOICE: KnownMembers = {
  where: "choices",
  known: ["message", "text"],
  // An old preview of Azure put messages into a choice, and its clients read them there.
  foreign: [...CALLS, "messages", "delta", "content", "content_blocks"],
};

const PIECE: KnownMembers = {
  where: "choices",
  known: ["index", "delta", "message", "finish_reason"],
  foreign: [...CALLS, "messages", "content", "content_blocks"],
};

const MESSAGE: KnownMembers = {
  where: "message",
  known: ["content", "content_blocks", "tool_calls", "function_call"],
  foreign: ["tool_use", "message", "delta"],
};

export const CALL: KnownMembers = {
  where: "tool_calls",
  known: ["index", "function", "custom"],
  foreign: CALLS,
};

export const CALLED: KnownMembers = {
  where: "function",
  known: ["name", "namespace", "arguments", "input"],
  foreign: [],
};

const PART: KnownMembers = {
  where: "content",
  known: ["type"],
  foreign: [...CALLS, "function", "functionCall", "toolUse"],
};

export const ITEM: KnownMembers = {
  where: "output",
  known: ["type", "name", "namespace", "server_label", "arguments", "input", "content"],
  foreign: ["tool_calls", "tool_use"],
};

/** Refuses a message, or a piece of one, that could hold a call outside the known members. */
export function checkOpenaiMessage(message: JsonObject): Result<null> {
  const checked = checkMembers(message, MESSAGE);
  if (!checked.ok) return checked;
  const { content, content_blocks } = message;
  const inContent = checkParts(content, CONTENT_TYPES);
  return inContent.ok ? checkParts(content_blocks, TYPES_WITHOUT_CALLS) : inContent;
}

/** The same for one choice of a streamed answer. */
export function checkOpenaiPiece(choice: JsonObject): Result<null> {
  const checked = checkMembers(choice, PIECE);
  if (!checked.ok) return checked;
  const { message, delta } = choice;
  const whole = isJsonObject(message) ? checkOpenaiMessage(message) : ok(null);
  if (!whole.ok || !isJsonObject(delta)) return whole;
  const { content_blocks, ...rest } = delta;
  const inDelta = checkOpenaiMessage(rest);
  return inDelta.ok ? checkPiecesOfBlocks(content_blocks) : inDelta;
}

/** Only the first piece of a block names its type. */
function checkPiecesOfBlocks(value: JsonValue | undefined): Result<null> {
  const pieces = objectsIn(value, "content_blocks");
  if (!pieces.ok) return pieces;
  const begun = pieces.value.map(({ type, content_block: block, ...piece }) =>
    isJsonObject(block) ? block : { ...piece, type: type ?? "text" },
  );
  return checkParts(begun, TYPES_WITHOUT_CALLS);
}

/** Refuses a content with a part of a type that is not listed, or with a call inside of one. */
export function checkParts(content: JsonValue | undefined, types: ReadonlySet<string>): Result<null> {
  if (content === undefined || content === null || typeof content === "string") return ok(null);
  const parts = objectsIn(content, "content");
  if (!parts.ok) return parts;
  const checked = all(
    parts.value.map((part) => {
      const members = checkMembers(part, PART);
      return members.ok ? checkType(part, types, "content") : members;
    }),
  );
  return checked.ok ? ok(null) : checked;
}
