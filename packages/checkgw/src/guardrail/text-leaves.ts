import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { objectsIn } from "@svc/tool-calls/model-call";
import type { JsonPath } from "@svc/tool-calls/replace-at";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import { flatten, type TextSlot } from "./text-slot.ts";

/**
 * Members that hold no words: types, ids, bytes and locations of bytes. Every other text of a message is
 * judged, whatever the name of its member.
 */
const NO_WORDS: ReadonlySet<string> = new Set(
  [
    ["type", "role", "id", "tool_id", "tool_call_id", "tool_use_id", "call_id", "file_id", "container_id"],
    ["url", "image_url", "video_url", "audio_url", "document_url", "file_url"],
    ["data", "file_data", "media_type", "mime_type", "format", "detail", "ttl"],
    ["signature", "thought_signature", "encrypted_content", "encrypted_index", "encrypted_stdout"],
  ].flat(),
);

/** Members whose keys the caller chooses, so that a key says nothing about the words in its value. */
const FREE: ReadonlySet<string> = new Set(["input", "arguments"]);

/** Members that hold a text, unless they hold a list. */
const TEXTS = ["text", "thinking", "refusal", "reasoning_content"] as const;

interface Place {
  readonly role: string;
  readonly path: JsonPath;
  /** Whether every text counts, whatever the name of its member. */
  readonly isFree?: boolean;
}

/** Every text in a value that is not a message, such as a prediction. */
export function textsWithin(value: JsonValue | undefined, place: Place): readonly TextSlot[] {
  if (value === undefined) return [];
  const { role, path } = place;
  if (typeof value === "string") return [{ role, text: value, path }];
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return items.flatMap((item, index) => textsWithin(item, { ...place, path: [...path, index] }));
  }
  return isJsonObject(value) ? textsOfMembers(value, place) : [];
}

function textsOfMembers(value: JsonObject, place: Place): readonly TextSlot[] {
  const { path, isFree = false } = place;
  const role = value["type"] === "tool_result" ? "tool" : place.role;
  return Object.entries(value).flatMap(([name, member]) => {
    if (!(isFree || hasWords(value, name, member))) return [];
    return textsWithin(member, { role, path: [...path, name], isFree: isFree || FREE.has(name) });
  });
}

function hasWords(value: JsonObject, name: string, member: JsonValue): boolean {
  // Anthropic's plain-text documents have their text where other documents have their bytes.
  if (name === "data" && value["type"] === "text") return true;
  return typeof member === "object" || !NO_WORDS.has(name);
}

/** Every text in a list of messages, in OpenAI's or Anthropic's form, earlier calls and results included. */
export function allTextsOfMessages(
  messages: JsonValue | undefined,
  path: JsonPath,
): Result<readonly TextSlot[]> {
  if (messages === undefined || messages === null) return malformed("messages", "a list of objects", "none");
  const list = objectsIn(messages, "messages");
  if (!list.ok) return list;
  return flatten(list.value.map((message, index) => allTextsOfMessage(message, [...path, index])));
}

function allTextsOfMessage(message: JsonObject, path: JsonPath): Result<readonly TextSlot[]> {
  const role = message["role"] ?? "assistant";
  if (typeof role !== "string") return malformed("role", "a text", "another value");
  const { content, ...rest } = message;
  const checked = checkTexts(rest);
  if (!checked.ok) return checked;
  const said = allTextsOfContent(content, { role, path: [...path, "content"] });
  return said.ok ? ok([...said.value, ...textsOfMembers(rest, { role, path })]) : said;
}

/** Every text in a content: a text by itself, or a list of parts. */
export function allTextsOfContent(content: JsonValue | undefined, place: Place): Result<readonly TextSlot[]> {
  if (content === undefined || content === null) return ok([]);
  if (typeof content === "string") return ok(textsWithin(content, place));
  const parts = objectsIn(content, "content");
  if (!parts.ok) return parts;
  const checked = flatten(parts.value.map(checkTexts));
  return checked.ok ? ok(textsWithin(content, place)) : checked;
}

/** A number instead of a text would not be judged, but a client may show it. */
function checkTexts(part: JsonObject): Result<readonly TextSlot[]> {
  const wrong = TEXTS.find((name) => typeof part[name] === "number" || typeof part[name] === "boolean");
  return wrong === undefined ? ok([]) : malformed(wrong, "a text", "another value");
}

/** Every text in the choices of an answer, but for its calls, which are judged as such. */
export function allTextsOfChoices(root: JsonObject): Result<readonly TextSlot[]> {
  const choices = objectsIn(root["choices"], "choices");
  if (!choices.ok) return choices;
  return flatten(choices.value.map((choice, index) => allTextsOfChoice(choice, ["choices", index])));
}

function allTextsOfChoice(choice: JsonObject, path: JsonPath): Result<readonly TextSlot[]> {
  const { message, text = null } = choice;
  if (text !== null && typeof text !== "string") return malformed("text", "a text", "another value");
  const bare = text === null ? [] : [{ role: "assistant", text, path: [...path, "text"] }];
  if (message === undefined || message === null) return ok(bare);
  if (!isJsonObject(message)) return malformed("message", "an object", "another value");
  const { tool_calls: _calls, function_call: _call, ...said } = message;
  const texts = allTextsOfMessage(said, [...path, "message"]);
  return texts.ok ? ok([...bare, ...texts.value]) : texts;
}

/** Every text in the blocks of an answer of Anthropic, but for its calls, which are judged as such. */
export function allTextsOfBlocks(content: JsonValue | undefined): Result<readonly TextSlot[]> {
  const blocks = objectsIn(content, "content");
  if (!blocks.ok) return blocks;
  return flatten(
    blocks.value.map((block, index) =>
      block["type"] === "tool_use"
        ? ok([])
        : flatten([
            checkTexts(block),
            ok(textsOfMembers(block, { role: "assistant", path: ["content", index] })),
          ]),
    ),
  );
}
