import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { all, objectsIn } from "@svc/tool-calls/model-call";
import type { JsonPath } from "@svc/tool-calls/replace-at";
import { malformed, ok, type Result } from "@svc/tool-calls/result";

/** A text of a conversation, and the place that its rewrite goes to. */
export interface TextSlot {
  readonly role: string;
  readonly text: string;
  readonly path: JsonPath;
}

/** Members of a message that hold text beside its content. */
const MORE_TEXTS = ["refusal", "reasoning_content"] as const;

/** Members of a part of a content that hold text. */
const PART_TEXTS = ["text", "thinking"] as const;

/** The texts of a list of messages, in OpenAI's or Anthropic's form. Pictures and sounds hold none. */
export function textsOfMessages(
  messages: JsonValue | undefined,
  path: JsonPath,
): Result<readonly TextSlot[]> {
  if (messages === undefined || messages === null) return malformed("messages", "a list of objects", "none");
  const list = objectsIn(messages, "messages");
  if (!list.ok) return list;
  return flatten(list.value.map((message, index) => textsOfMessage(message, [...path, index])));
}

/** The texts of one message. */
export function textsOfMessage(message: JsonObject, path: JsonPath): Result<readonly TextSlot[]> {
  const role = message["role"] ?? "assistant";
  if (typeof role !== "string") return malformed("role", "a text", "another value");
  const content = textsOfContent(message["content"], role, [...path, "content"]);
  if (!content.ok) return content;
  const slots = [...content.value];
  for (const name of MORE_TEXTS) {
    const text = message[name] ?? null;
    if (typeof text === "string") slots.push({ role, text, path: [...path, name] });
    else if (text !== null) return malformed(name, "a text", "another value");
  }
  return ok(slots);
}

/** The texts of a content: a text by itself, or a list of parts. */
export function textsOfContent(
  content: JsonValue | undefined,
  role: string,
  path: JsonPath,
): Result<readonly TextSlot[]> {
  if (content === undefined || content === null) return ok([]);
  if (typeof content === "string") return ok([{ role, text: content, path }]);
  const parts = objectsIn(content, "content");
  if (!parts.ok) return parts;
  return flatten(parts.value.map((part, index) => textsOfPart(part, role, [...path, index])));
}

function textsOfPart(part: JsonObject, role: string, path: JsonPath): Result<readonly TextSlot[]> {
  if (part["type"] === "tool_result") return textsOfContent(part["content"], "tool", [...path, "content"]);
  const slots: TextSlot[] = [];
  for (const name of PART_TEXTS) {
    const text = part[name] ?? null;
    if (typeof text === "string") slots.push({ role, text, path: [...path, name] });
    else if (text !== null) return malformed(name, "a text", "another value");
  }
  return ok(slots);
}

/** A text by itself or a list of texts, as the older interfaces take them. */
export function textsOfList(
  value: JsonValue | undefined,
  role: string,
  path: JsonPath,
): Result<readonly TextSlot[]> {
  if (typeof value === "string") return ok([{ role, text: value, path }]);
  if (!Array.isArray(value))
    return malformed(String(path.at(-1)), "a text or a list of texts", "another value");
  const items: readonly JsonValue[] = value;
  return all(
    items.map((text, index) =>
      typeof text === "string"
        ? ok({ role, text, path: [...path, index] })
        : malformed(String(path.at(-1)), "a list of texts", "something else"),
    ),
  );
}

export function flatten<T>(found: readonly Result<readonly T[]>[]): Result<readonly T[]> {
  const lists = all(found);
  return lists.ok ? ok(lists.value.flat()) : lists;
}
