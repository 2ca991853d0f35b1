import { canonicalJson } from "@svc/text/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { checkMembers, type KnownMembers } from "../model-answers/check-members.ts";
import { objectsIn } from "../model-answers/model-call.ts";
import { openaiCalls } from "../model-answers/openai-calls.ts";
import { ANSWER, ITEM } from "../model-answers/openai-members.ts";
import { malformed, ok, type Result } from "../result.ts";
import { isBlank, readIndex, TAKEN } from "./read-members.ts";
import { type Place, placeCalls, type StreamedCall } from "./streamed-calls.ts";

/** One item of the output, as far as its events have arrived. */
interface Item {
  readonly type: string;
  /** The item in its first event. */
  readonly added: JsonObject;
  text: string;
  readonly fragments: Place[];
  readonly repeats: Place[];
  /** Whether an event has repeated its text. */
  isTextDone: boolean;
  /** The item in its last event; null before it. */
  done: JsonObject | null;
}

interface Assembly {
  readonly items: Item[];
  readonly ids: Set<JsonValue>;
  /** The event that ended the answer; null before it. */
  ending: string | null;
}

type Take = (assembly: Assembly, event: JsonObject, at: number) => Result<null>;

/** The member that grows, by type of item. */
const TEXT: Readonly<Record<string, "arguments" | "input">> = {
  function_call: "arguments",
  custom_tool_call: "input",
};

/** The members that name a call. */
const NAMES = ["name", "namespace", "server_label"];

const TAKE: ReadonlyMap<string, Take> = new Map<string, Take>([
  ["response.created", takeBeginning],
  ["response.queued", takeBeginning],
  ["response.in_progress", takeBeginning],
  ["response.output_item.added", takeAdded],
  ["response.function_call_arguments.delta", takeDelta("function_call")],
  ["response.function_call_arguments.done", takeText("function_call", "arguments")],
  ["response.custom_tool_call_input.delta", takeDelta("custom_tool_call")],
  ["response.custom_tool_call_input.done", takeText("custom_tool_call", "input")],
  ["response.output_item.done", takeDone],
  ["response.completed", takeCompleted],
  ["response.incomplete", takeBroken("response.incomplete")],
  ["response.failed", takeBroken("response.failed")],
  ["error", takeError],
  ["keepalive", () => TAKEN],
]);

const EVENT: KnownMembers = {
  where: "event",
  known: ["type", "output_index", "item_id", "item", "response", "delta", "arguments", "input", ...NAMES],
  foreign: [
    "message",
    "content",
    "content_blocks",
    "content_block",
    "tool_calls",
    "function_call",
    "tool_use",
  ],
};

/** Other prefixes of event types: texts, and calls that the provider executes itself. */
const NO_CALLS: ReadonlySet<string> = new Set(
  [
    ["audio", "audio.transcript", "content_part", "output_text", "output_text.annotation", "refusal"],
    ["output_text_annotation", "reasoning", "reasoning_part", "reasoning_text", "reasoning_summary"],
    ["reasoning_summary_part", "reasoning_summary_text", "web_search_call", "file_search_call"],
    ["code_interpreter_call", "code_interpreter_call_code", "image_generation_call"],
    ["mcp_call", "mcp_call_arguments", "mcp_list_tools"],
  ]
    .flat()
    .map((name) => `response.${name}`),
);

/**
 * Assembles the tool calls of a responses stream. Its events repeat the same content. An answer is refused
 * when its events do not agree, or when an event of unknown type may hold a call.
 */
export function assembleResponsesEvents(events: readonly JsonObject[]): Result<readonly StreamedCall[]> {
  const assembly: Assembly = { items: [], ids: new Set(), ending: null };
  for (const [at, event] of events.entries()) {
    const checked = checkMembers(event, EVENT);
    if (!checked.ok) return checked;
    const { type, choices, output } = event;
    if (typeof type !== "string") return malformed("event.type", "a text", "another value");
    if (choices !== undefined || output !== undefined)
      return malformed("event", "an event of a responses stream", "another event");
    if (assembly.ending !== null && assembly.ending !== "error") {
      return malformed("event", `none after ${assembly.ending}`, "another event");
    }
    const taken = takeOf(type)(assembly, event, at);
    if (!taken.ok) return taken;
  }
  const calls = assembly.items.filter(({ type }) => isCall(type));
  if (calls.length === 0) return ok([]);
  const done = calls.flatMap((item) => item.done ?? []);
  if (assembly.ending !== "response.completed" || done.length < calls.length) {
    return malformed("event stream", "every call to its end", "an answer cut off");
  }
  return placeCalls(openaiCalls({ output: done }), calls);
}

function takeOf(type: string): Take {
  const known = TAKE.get(type);
  if (known !== undefined) return known;
  return NO_CALLS.has(type.slice(0, type.lastIndexOf(".")))
    ? () => TAKEN
    : () => malformed("event.type", "a known type, because another may hold a call", "another type");
}

/** Whether items of a type are judged. Whether they can be read is checked later. */
function isCall(type: string): boolean {
  if (Object.hasOwn(TEXT, type)) return true;
  const calls = openaiCalls({ output: [{ type }] });
  return !calls.ok || calls.value.length > 0;
}

/** Refuses an item that could be a call without being judged as one. A call may still be incomplete. */
function checkItem(item: JsonObject): Result<null> {
  const checked = checkMembers(item, ITEM);
  const { type } = item;
  if (!checked.ok || typeof type !== "string" || isCall(type)) return checked;
  const calls = openaiCalls({ output: [item] });
  return calls.ok ? TAKEN : calls;
}

function takeBeginning(_: Assembly, event: JsonObject): Result<null> {
  return agree([], event);
}

function takeBroken(type: string): Take {
  return (assembly, event) => {
    assembly.ending = type;
    return agree([], event);
  };
}

function takeError(assembly: Assembly): Result<null> {
  assembly.ending = "error";
  return TAKEN;
}

function takeAdded({ items, ids }: Assembly, event: JsonObject): Result<null> {
  const index = readIndex(event, "output_index");
  if (!index.ok) return index;
  const { item } = event;
  if (!isJsonObject(item) || typeof item["type"] !== "string") {
    return malformed("item", "an object with a type", "another value");
  }
  const checked = checkItem(item);
  if (!checked.ok) return checked;
  if (index.value !== items.length) return malformed("output_index", "the next index", "another index");
  const { type, id = null } = item;
  if (ids.has(id)) return malformed("item.id", "a new id", "a known id");
  if (id !== null) ids.add(id);
  const member = TEXT[type];
  // Some clients append the fragments to this value, some do not.
  if (member !== undefined && !isBlank(item[member]))
    return malformed(member, "none at the beginning", "a value");
  items.push({ type, added: item, text: "", fragments: [], repeats: [], isTextDone: false, done: null });
  return TAKEN;
}

/** The item of an event, by its index and its id, while the item is not done. */
function itemOf({ items }: Assembly, event: JsonObject): Result<Item> {
  const index = readIndex(event, "output_index");
  if (!index.ok) return index;
  const item = items[index.value];
  if (item === undefined || item.done !== null)
    return malformed("output_index", "the index of an open item", "another index");
  const { item_id: id = null } = event;
  const { id: known = null } = item.added;
  if (id !== null && known !== null && id !== known)
    return malformed("item_id", "the id of the item", "another id");
  return ok(item);
}

function textItemOf(assembly: Assembly, event: JsonObject, type: string): Result<Item> {
  const item = itemOf(assembly, event);
  if (!item.ok) return item;
  const { type: found, isTextDone } = item.value;
  return found === type && !isTextDone
    ? item
    : malformed("event", `an event of an open ${type}`, "another event");
}

function takeDelta(type: string): Take {
  return (assembly, event, at) => {
    const item = textItemOf(assembly, event, type);
    if (!item.ok) return item;
    const { delta } = event;
    if (typeof delta !== "string") return malformed("delta", "a text", "another value");
    item.value.text += delta;
    item.value.fragments.push([at, "delta"]);
    return TAKEN;
  };
}

function takeText(type: string, member: "arguments" | "input"): Take {
  return (assembly, event, at) => {
    const item = textItemOf(assembly, event, type);
    if (!item.ok) return item;
    const { text, added, repeats } = item.value;
    if (event[member] !== text)
      return malformed(member, "the concatenation of its fragments", "another text");
    for (const naming of NAMES) {
      const value = event[naming];
      if (!isBlank(value) && value !== added[naming])
        return malformed(naming, "the value in the call", "another value");
    }
    repeats.push([at, member]);
    item.value.isTextDone = true;
    return TAKEN;
  };
}

function takeDone(assembly: Assembly, event: JsonObject, at: number): Result<null> {
  const found = itemOf(assembly, event);
  if (!found.ok) return found;
  const { item: done } = event;
  const item = found.value;
  if (!isJsonObject(done) || done["type"] !== item.type)
    return malformed("item", "an item of its first type", "another type");
  const checked = checkItem(done);
  if (!checked.ok) return checked;
  if (isCall(item.type)) {
    const member = TEXT[item.type];
    if (!isBeginningOf(item.added, done))
      return malformed("item", "the item as it was added", "another item");
    // Some clients use the name in the first event of a call, some the name in its last.
    const late = NAMES.find((name) => isBlank(item.added[name]) && !isBlank(done[name]));
    if (late !== undefined) return malformed(late, "it in every item of a call", "it only in the last");
    // Some clients read the fragments, some the repeated text, some the whole item.
    if (member !== undefined && (done[member] !== item.text || !item.isTextDone)) {
      return malformed(member, "the concatenation of its fragments, repeated before", "another text");
    }
    if (member !== undefined) item.repeats.push([at, "item", member]);
  }
  item.done = done;
  return TAKEN;
}

/** Whether all members at the beginning of an item, except its status, are the same at its end. */
function isBeginningOf(added: JsonObject, done: JsonObject): boolean {
  return Object.entries(added).every(
    ([name, value]) =>
      name === "status" || isBlank(value) || canonicalJson(value) === canonicalJson(done[name] ?? null),
  );
}

function takeCompleted(assembly: Assembly, event: JsonObject, at: number): Result<null> {
  assembly.ending = "response.completed";
  const agreed = agree(assembly.items, event);
  if (!agreed.ok) return agreed;
  for (const [index, { type, repeats }] of assembly.items.entries()) {
    const member = TEXT[type];
    if (member !== undefined) repeats.push([at, "response", "output", index, member]);
  }
  return TAKEN;
}

/**
 * Compares the output that an event repeats with the items. Both must have the same calls at the same places.
 */
function agree(items: readonly Item[], { response }: JsonObject): Result<null> {
  if (!isJsonObject(response)) return malformed("response", "an object", "another value");
  const checked = checkMembers(response, ANSWER);
  if (!checked.ok) return checked;
  const output = objectsIn(response["output"], "output");
  if (!output.ok) return output;
  const strange = output.value.map(checkItem).find((item) => !item.ok);
  if (strange !== undefined) return strange;
  for (let index = 0; index < Math.max(items.length, output.value.length); index += 1) {
    const repeated = callText(output.value[index]);
    if (repeated !== callText(items[index]?.done ?? items[index]?.added)) {
      return malformed("response.output", "the calls of the earlier events", "other calls");
    }
  }
  return TAKEN;
}

/** Everything of a call except its status; null for an item that is not a call. */
function callText(item: JsonObject | undefined): string | null {
  const type = item?.["type"];
  if (item === undefined || (typeof type === "string" && !isCall(type))) return null;
  const { status: _, ...rest } = item;
  return canonicalJson(rest);
}
