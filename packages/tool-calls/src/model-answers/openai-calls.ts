import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { malformed, ok, type Result } from "../result.ts";
import { checkMembers, checkType } from "./check-members.ts";
import {
  all,
  argumentsOf,
  boundedCalls,
  type ModelCall,
  objectsIn,
  readArgumentsText,
  readName,
} from "./model-call.ts";
import {
  ANSWER,
  CALL,
  CALLED,
  CHOICE,
  CONTENT_TYPES,
  checkOpenaiMessage,
  checkParts,
  ITEM,
  ITEMS_WITHOUT_CALLS,
} from "./openai-members.ts";
import type { JsonPath } from "./replace-at.ts";

/** Calls that the provider has executed itself before it answered. */
const EXECUTED_BY_PROVIDER: ReadonlySet<string> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_call",
]);

/**
 * The tool calls in an answer of the chat completions, the completions or the responses interface. An answer
 * in which a call could stand elsewhere, or in a part of unknown type, is refused.
 */
export function openaiCalls(root: JsonObject): Result<readonly ModelCall[]> {
  const checked = checkMembers(root, ANSWER);
  if (!checked.ok) return checked;
  // A client of one interface would execute calls that were read by the other.
  if (root["choices"] !== undefined && root["output"] !== undefined)
    return malformed("answer", "either choices or output", "both");
  if (root["choices"] !== undefined) return choicesCalls(root);
  if (root["output"] !== undefined) return outputCalls(root);
  if (isJsonObject(root["error"])) return ok([]);
  return malformed("answer", "choices, output or an error", "none of them");
}

/** One entry of `tool_calls`, at its place. */
export function openaiToolCall(call: JsonObject, path: JsonPath): Result<ModelCall> {
  const checked = checkMembers(call, CALL);
  if (!checked.ok) return checked;
  const { function: called, custom } = call;
  const hasCustom = custom !== undefined && custom !== null;
  const hasFunction = called !== undefined && called !== null;
  if (isJsonObject(called) && !hasCustom)
    return functionCall(called, readChatName(called), [...path, "function"]);
  if (isJsonObject(custom) && !hasFunction)
    return customCall(custom, readChatName(custom), [...path, "custom"]);
  return malformed("tool_calls", "either function or custom", "another type");
}

function choicesCalls(root: JsonObject): Result<readonly ModelCall[]> {
  const choices = objectsIn(root["choices"], "choices");
  if (!choices.ok) return choices;
  return flatten(choices.value.map((choice, index) => choiceCalls(choice, index)));
}

function choiceCalls(wire: JsonObject, choice: number): Result<readonly ModelCall[]> {
  const checked = checkMembers(wire, CHOICE);
  if (!checked.ok) return checked;
  const message = wire["message"] ?? {};
  if (!isJsonObject(message)) return malformed("message", "an object", "another value");
  const isKnown = checkOpenaiMessage(message);
  if (!isKnown.ok) return isKnown;
  const calls = objectsIn(message["tool_calls"], "tool_calls");
  if (!calls.ok) return calls;
  const base = ["choices", choice, "message"] as const;
  const found = calls.value.map((call, index) => openaiToolCall(call, [...base, "tool_calls", index]));
  const legacy = message["function_call"];
  if (isJsonObject(legacy))
    found.push(functionCall(legacy, readChatName(legacy), [...base, "function_call"]));
  else if (legacy !== undefined && legacy !== null)
    return malformed("function_call", "an object", "another value");
  return all(found);
}

/** Refuses a namespace, which chat completions do not have: some clients would ignore it, some would not. */
function readChatName({ name, namespace }: JsonObject): Result<string> {
  return isBlankText(namespace) ? readName(name, "name") : malformed("namespace", "none", "a namespace");
}

/** The name of a call in the responses interface, below its namespace if it has one. */
function readItemName({ name, namespace }: JsonObject): Result<string> {
  return isBlankText(namespace) ? readName(name, "name") : readNameBelow(namespace, name, "namespace");
}

function readNameBelow(
  owner: JsonValue | undefined,
  name: JsonValue | undefined,
  where: string,
): Result<string> {
  const above = readName(owner, where);
  if (!above.ok) return above;
  const own = readName(name, "name");
  return own.ok ? ok(`${above.value}.${own.value}`) : own;
}

function isBlankText(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "";
}

function functionCall(called: JsonObject, tool: Result<string>, path: JsonPath): Result<ModelCall> {
  const checked = checkMembers(called, CALLED);
  if (!checked.ok) return checked;
  if (!tool.ok) return tool;
  const args = readArgumentsText(called["arguments"], argumentsOf(tool.value, path));
  if (!args.ok) return args;
  return ok({ tool: tool.value, args: args.value, path: [...path, "arguments"], form: "text" });
}

/** A custom tool takes any text. The text is judged as the argument `input`. */
function customCall(called: JsonObject, tool: Result<string>, path: JsonPath): Result<ModelCall> {
  const checked = checkMembers(called, CALLED);
  if (!checked.ok) return checked;
  if (!tool.ok) return tool;
  const input = called["input"];
  if (typeof input !== "string") return malformed("input", "a text", "another value");
  return ok({ tool: tool.value, args: { input }, path, form: "none" });
}

/**
 * A call that the provider runs once the client agrees to it. Its arguments stay with the provider, so a
 * rewrite would not reach them.
 */
function requestedCall(item: JsonObject, path: JsonPath): Result<ModelCall> {
  const tool = readNameBelow(item["server_label"], item["name"], "server_label");
  const call = functionCall(item, tool, path);
  return call.ok ? ok({ ...call.value, form: "none" }) : call;
}

function outputCalls(root: JsonObject): Result<readonly ModelCall[]> {
  const items = objectsIn(root["output"], "output");
  if (!items.ok) return items;
  return flatten(items.value.map((item, index) => outputCall(item, ["output", index])));
}

function outputCall(item: JsonObject, path: JsonPath): Result<readonly ModelCall[]> {
  const checked = checkMembers(item, ITEM);
  if (!checked.ok) return checked;
  const { type } = item;
  if (typeof type !== "string") return malformed("output.type", "a text", "another value");
  if (type === "function_call") return all([functionCall(item, readItemName(item), path)]);
  if (type === "custom_tool_call") return all([customCall(item, readItemName(item), path)]);
  if (type === "mcp_approval_request") return all([requestedCall(item, path)]);
  if (EXECUTED_BY_PROVIDER.has(type)) return ok([]);
  if (!type.endsWith("_call")) {
    const isKnown = checkType(item, ITEMS_WITHOUT_CALLS, "output");
    if (!isKnown.ok) return isKnown;
    const parts = checkParts(item["content"], CONTENT_TYPES);
    return parts.ok ? ok([]) : parts;
  }
  // A call without a name, such as computer_call. Its type is the tool.
  return ok([{ tool: type, args: item, path, form: "none" }]);
}

function flatten(found: readonly Result<readonly ModelCall[]>[]): Result<readonly ModelCall[]> {
  const lists = all(found);
  return lists.ok ? boundedCalls(lists.value.flat()) : lists;
}
