import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { checkMembers } from "../model-answers/check-members.ts";
import { objectsIn } from "../model-answers/model-call.ts";
import { openaiCalls } from "../model-answers/openai-calls.ts";
import { ANSWER, CALL, CALLED, checkOpenaiPiece } from "../model-answers/openai-members.ts";
import { malformed, ok, type Result } from "../result.ts";
import { isBlank, readIndex, readOptionalText, TAKEN } from "./read-members.ts";
import { type Place, placeCalls, type StreamedCall } from "./streamed-calls.ts";

type Kind = "function" | "custom";

/** A call, as far as its chunks have arrived. */
interface Growing {
  readonly kind: Kind;
  readonly name: string;
  text: string;
  readonly fragments: Place[];
  readonly repeats: readonly Place[];
}

interface Choice {
  readonly calls: Growing[];
  /** The older form: at most one call, without an index. */
  legacy: Growing | null;
  finish: string | null;
}

/**
 * Finish reasons after which every call is complete. With others the last call is cut off, or none counts.
 */
const WHOLE: ReadonlySet<string | null> = new Set(["tool_calls", "function_call", "stop"]);

/** The member that grows, by kind of call. */
const TEXT = { function: "arguments", custom: "input" } as const;

/**
 * Assembles the tool calls of chat completion chunks. The calls of a choice come one after another, each with
 * its name in its first chunk. A stream that clients could assemble differently is refused.
 */
export function assembleChatChunks(chunks: readonly JsonObject[]): Result<readonly StreamedCall[]> {
  const choices = new Map<number, Choice>();
  let hasFailed = false;
  for (const [at, chunk] of chunks.entries()) {
    if (hasFailed) return malformed("event", "none after an error", "another event");
    hasFailed = !isBlank(chunk["error"]);
    const taken = takeChunk(choices, chunk, at);
    if (!taken.ok) return taken;
  }
  const inOrder = [...choices].sort(([one], [other]) => one - other).map(([, choice]) => choice);
  const growing = inOrder.flatMap(callsOf);
  const isWhole =
    !hasFailed && inOrder.every((choice) => callsOf(choice).length === 0 || WHOLE.has(choice.finish));
  if (growing.length > 0 && !isWhole)
    return malformed("event stream", "every call to its end", "an answer cut off");
  return placeCalls(
    openaiCalls({ choices: inOrder.map((choice) => ({ message: messageOf(choice) })) }),
    growing,
  );
}

function callsOf({ calls, legacy }: Choice): readonly Growing[] {
  return legacy === null ? calls : [...calls, legacy];
}

/** The same choice as an answer in one piece would have it. */
function messageOf({ calls, legacy }: Choice): JsonObject {
  const render = ({ kind, name, text }: Growing): JsonObject => ({ name, [TEXT[kind]]: text });
  return {
    tool_calls: calls.map((call) => ({ [call.kind]: render(call) })),
    ...(legacy === null ? {} : { function_call: render(legacy) }),
  };
}

function takeChunk(choices: Map<number, Choice>, chunk: JsonObject, at: number): Result<null> {
  const checked = checkMembers(chunk, ANSWER);
  if (!checked.ok) return checked;
  const { type = "error", output, choices: listed } = chunk;
  if (type !== "error" || output !== undefined)
    return malformed("event", "a chat completion chunk", "another event");
  if (listed === undefined && isBlank(chunk["error"]))
    return malformed("event", "choices or an error", "neither of them");
  const found = objectsIn(listed, "choices");
  if (!found.ok) return found;
  for (const [position, choice] of found.value.entries()) {
    const taken = takeChoice(choices, choice, [at, "choices", position]);
    if (!taken.ok) return taken;
  }
  return TAKEN;
}

function takeChoice(choices: Map<number, Choice>, wire: JsonObject, place: Place): Result<null> {
  const checked = checkOpenaiPiece(wire);
  if (!checked.ok) return checked;
  const index = readIndex(wire, "index");
  if (!index.ok) return index;
  const finish = readOptionalText(wire, "finish_reason");
  if (!finish.ok) return finish;
  const { message, delta } = wire;
  // Some clients read a whole message from a chunk that has one.
  if (isJsonObject(message) && !(isBlank(message["tool_calls"]) && isBlank(message["function_call"]))) {
    return malformed("choice", "calls in delta", "calls in message");
  }
  const choice = choices.get(index.value) ?? { calls: [], legacy: null, finish: null };
  choices.set(index.value, choice);
  if (!isBlank(delta)) {
    if (!isJsonObject(delta)) return malformed("delta", "an object", "another value");
    const taken = takeDelta(choice, delta, [...place, "delta"]);
    if (!taken.ok) return taken;
  }
  if (choice.finish !== null && !isBlank(finish.value) && choice.finish !== finish.value) {
    return malformed("finish_reason", "one", "two");
  }
  if (!isBlank(finish.value)) choice.finish = finish.value;
  return TAKEN;
}

function takeDelta(choice: Choice, delta: JsonObject, place: Place): Result<null> {
  const calls = objectsIn(delta["tool_calls"], "tool_calls");
  if (!calls.ok) return calls;
  const legacy = delta["function_call"] ?? null;
  if (choice.finish !== null && (calls.value.length > 0 || legacy !== null)) {
    return malformed("tool_calls", "none after the finish of their choice", "a call");
  }
  for (const [position, call] of calls.value.entries()) {
    const taken = takeFragment(choice, call, [...place, "tool_calls", position]);
    if (!taken.ok) return taken;
  }
  if (legacy === null) return TAKEN;
  if (!isJsonObject(legacy)) return malformed("function_call", "an object", "another value");
  const grown = grow(choice.legacy, { kind: "function", member: legacy, place: [...place, "function_call"] });
  if (!grown.ok) return grown;
  choice.legacy = grown.value;
  return TAKEN;
}

function takeFragment({ calls }: Choice, call: JsonObject, place: Place): Result<null> {
  const checked = checkMembers(call, CALL);
  if (!checked.ok) return checked;
  const index = readIndex(call, "index");
  if (!index.ok) return index;
  const last = calls.length - 1;
  if (index.value !== last && index.value !== calls.length) {
    return malformed("tool_calls.index", "the index of the last call or the next one", "another index");
  }
  const current = calls[index.value] ?? null;
  const part = partOf(call, current?.kind ?? null);
  if (!part.ok) return part;
  const grown = grow(current, { ...part.value, place: [...place, part.value.kind] });
  if (!grown.ok) return grown;
  calls[index.value] = grown.value;
  return TAKEN;
}

interface Part {
  readonly kind: Kind;
  /** Empty when the chunk says nothing of name and text. */
  readonly member: JsonObject;
}

function partOf(call: JsonObject, current: Kind | null): Result<Part> {
  const kinds = (["function", "custom"] as const).filter((kind) => (call[kind] ?? null) !== null);
  const [kind = current, second] = kinds;
  const { type } = call;
  if (
    kind === null ||
    second !== undefined ||
    kind !== (current ?? kind) ||
    !(isBlank(type) || type === kind)
  ) {
    return malformed("tool_calls", "either function or custom, and always the same", "another kind");
  }
  const member = call[kind] ?? {};
  return isJsonObject(member) ? ok({ kind, member }) : malformed(kind, "an object", "another value");
}

function grow(current: Growing | null, part: Part & { readonly place: Place }): Result<Growing> {
  const { kind, member, place } = part;
  const checked = checkMembers(member, CALLED);
  if (!checked.ok) return checked;
  if (!isBlank(member["namespace"])) return malformed("namespace", "none", "a namespace");
  const name = readOptionalText(member, "name");
  if (!name.ok) return name;
  const text = readOptionalText(member, TEXT[kind]);
  if (!text.ok) return text;
  if (isBlank(name.value) !== (current !== null)) {
    return malformed("name", "in the first chunk of a call, and only there", "another place");
  }
  const call = current ?? { kind, name: name.value ?? "", text: "", fragments: [], repeats: [] };
  call.text += text.value ?? "";
  if (text.value !== null || current === null) call.fragments.push([...place, TEXT[kind]]);
  return ok(call);
}
