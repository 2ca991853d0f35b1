import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { ANTHROPIC_ANSWER, anthropicCalls, checkAnthropicBlock } from "../model-answers/anthropic-calls.ts";
import { checkMembers, type KnownMembers } from "../model-answers/check-members.ts";
import { readArgumentsText } from "../model-answers/model-call.ts";
import { malformed, ok, type Result } from "../result.ts";
import { isBlank, readIndex, readOptionalText, TAKEN } from "./read-members.ts";
import { type Place, placeCalls, type StreamedCall } from "./streamed-calls.ts";

/** One content block, as far as its events have arrived. */
interface Block {
  readonly isCall: boolean;
  readonly start: JsonObject;
  text: string;
  readonly fragments: Place[];
  readonly repeats: readonly Place[];
}

interface Assembly {
  stage: "waiting" | "open" | "stopped" | "failed";
  readonly blocks: Block[];
  /** Whether the last block still grows. Only one grows at a time. */
  isGrowing: boolean;
  stopReason: string | null;
}

type Take = (assembly: Assembly, event: JsonObject, at: number) => Result<null>;

const EVENT: KnownMembers = {
  where: "event",
  known: ["type", "index", "message", "content_block", "delta", "error"],
  foreign: ["choices", "output", "content", "content_blocks", "tool_calls", "function_call", "tool_use"],
};

const DELTA: KnownMembers = {
  where: "delta",
  known: ["type", "partial_json", "content", "stop_reason"],
  foreign: ["tool_calls", "function_call", "tool_use"],
};

/** Stop reasons after which every call is complete. With others the last call is cut off, or none counts. */
const WHOLE: ReadonlySet<string | null> = new Set(["tool_use", "end_turn"]);

const TAKE: ReadonlyMap<string, Take> = new Map<string, Take>([
  ["message_start", takeMessageStart],
  ["content_block_start", whileOpen(takeBlockStart)],
  ["content_block_delta", whileOpen(takeBlockDelta)],
  ["content_block_stop", whileOpen(takeBlockStop)],
  ["message_delta", whileOpen(takeMessageDelta)],
  ["message_stop", whileOpen(takeMessageStop)],
  ["ping", () => TAKEN],
  ["error", takeError],
]);

/**
 * Assembles the `tool_use` blocks of a messages stream. Blocks come one after another. An event of unknown
 * type may hold a call, so it is refused.
 */
export function assembleMessagesEvents(events: readonly JsonObject[]): Result<readonly StreamedCall[]> {
  const assembly: Assembly = { stage: "waiting", blocks: [], isGrowing: false, stopReason: null };
  for (const [at, event] of events.entries()) {
    const { stage } = assembly;
    if (stage === "stopped" || stage === "failed")
      return malformed("event", `none of a message that has ${stage}`, "an event");
    const checked = checkMembers(event, EVENT);
    if (!checked.ok) return checked;
    const { type } = event;
    const take = typeof type === "string" ? TAKE.get(type) : undefined;
    if (take === undefined)
      return malformed("event.type", "a known type, because another may hold a call", "another type");
    const taken = take(assembly, event, at);
    if (!taken.ok) return taken;
  }
  const calls = assembly.blocks.filter(({ isCall }) => isCall);
  if (calls.length === 0) return ok([]);
  if (assembly.stage !== "stopped" || !WHOLE.has(assembly.stopReason)) {
    return malformed("event stream", "every call to its end", "an answer cut off");
  }
  return callsOf(calls);
}

function callsOf(blocks: readonly Block[]): Result<readonly StreamedCall[]> {
  const content: JsonObject[] = [];
  for (const { start, text } of blocks) {
    const input = readArgumentsText(text, "input");
    if (!input.ok) return input;
    content.push({ ...start, input: input.value });
  }
  return placeCalls(anthropicCalls({ content }), blocks);
}

function whileOpen(take: Take): Take {
  return (assembly, event, at) =>
    assembly.stage === "open"
      ? take(assembly, event, at)
      : malformed("event", "message_start first", "another event");
}

function takeMessageStart(assembly: Assembly, { message }: JsonObject): Result<null> {
  if (assembly.stage !== "waiting") return malformed("event", "one message_start", "a second one");
  if (!isJsonObject(message) || !isBlank(message["content"])) {
    return malformed("message", "an object without content", "another value");
  }
  const checked = checkMembers(message, ANTHROPIC_ANSWER);
  if (!checked.ok) return checked;
  assembly.stage = "open";
  return TAKEN;
}

function takeBlockStart(assembly: Assembly, event: JsonObject): Result<null> {
  const { blocks, isGrowing, stopReason } = assembly;
  const index = readIndex(event, "index");
  if (!index.ok) return index;
  if (index.value !== blocks.length || isGrowing || stopReason !== null) {
    return malformed("content_block_start", "the next block, after the stop of the last", "another block");
  }
  const { content_block: start } = event;
  if (!isJsonObject(start) || typeof start["type"] !== "string") {
    return malformed("content_block", "an object with a type", "another value");
  }
  const checked = checkAnthropicBlock(start);
  if (!checked.ok) return checked;
  const isCall = start["type"] === "tool_use";
  // Some clients take this value for the whole input, some concatenate the fragments.
  if (isCall && !isBlank(start["input"])) return malformed("input", "none at the beginning", "a value");
  blocks.push({ isCall, start, text: "", fragments: [], repeats: [] });
  assembly.isGrowing = true;
  return TAKEN;
}

function growingBlock({ blocks, isGrowing }: Assembly, event: JsonObject): Result<Block> {
  const index = readIndex(event, "index");
  if (!index.ok) return index;
  const block = blocks[index.value];
  return block !== undefined && isGrowing && index.value === blocks.length - 1
    ? ok(block)
    : malformed("index", "the index of the open block", "another index");
}

function takeBlockDelta(assembly: Assembly, event: JsonObject, at: number): Result<null> {
  const block = growingBlock(assembly, event);
  if (!block.ok) return block;
  const { delta } = event;
  if (!isJsonObject(delta)) return malformed("delta", "an object", "another value");
  const checked = checkMembers(delta, DELTA);
  if (!checked.ok) return checked;
  if (!block.value.isCall) return TAKEN;
  const { type, partial_json: text } = delta;
  if (type !== "input_json_delta" || typeof text !== "string") {
    return malformed("delta", "an input_json_delta", "another delta");
  }
  block.value.text += text;
  block.value.fragments.push([at, "delta", "partial_json"]);
  return TAKEN;
}

function takeBlockStop(assembly: Assembly, event: JsonObject): Result<null> {
  const block = growingBlock(assembly, event);
  if (!block.ok) return block;
  assembly.isGrowing = false;
  return TAKEN;
}

function takeMessageDelta(assembly: Assembly, { delta }: JsonObject): Result<null> {
  if (!isJsonObject(delta)) return malformed("delta", "an object", "another value");
  const checked = checkMembers(delta, DELTA);
  if (!checked.ok) return checked;
  if (!isBlank(delta["content"])) return malformed("delta", "no content", "content");
  const reason = readOptionalText(delta, "stop_reason");
  if (!reason.ok) return reason;
  assembly.stopReason = reason.value;
  return TAKEN;
}

function takeMessageStop(assembly: Assembly): Result<null> {
  if (assembly.isGrowing)
    return malformed("message_stop", "after the stop of its last block", "it before that");
  assembly.stage = "stopped";
  return TAKEN;
}

function takeError(assembly: Assembly): Result<null> {
  assembly.stage = "failed";
  return TAKEN;
}
