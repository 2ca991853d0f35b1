import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { denied, ok, type Result } from "@svc/tool-calls/result";

/** A text in the form that policies see. */
export interface Said {
  readonly role: string;
  readonly text: string;
}

/**
 * The arguments under which a prompt or a completion is judged: `text`, all texts in order with a line break
 * between them, so that a rule on words reaches each; `messages`, the same as {role, content}; and `model`
 * and `stream` when they are known.
 */
export function conversationArgs(
  said: readonly Said[],
  model: JsonValue | undefined,
  stream: boolean | undefined,
): JsonObject {
  return {
    text: joined(said.map(({ text }) => text)),
    messages: said.map(({ role, text }) => ({ role, content: text })),
    ...(typeof model === "string" ? { model } : {}),
    ...(stream === undefined ? {} : { stream }),
  };
}

/**
 * The texts after a policy has rewritten the arguments, in the order of `said`. Only texts can be
 * written back. A policy that adds or removes a message, or changes a role, the model or the way to
 * answer, is refused.
 */
export function rewrittenTexts(
  said: readonly Said[],
  before: JsonObject,
  shaped: JsonObject,
): Result<readonly string[]> {
  const { messages, text, model, stream, ...rest } = shaped;
  const isSame = model === before["model"] && stream === before["stream"];
  const isKnown = isSame && Object.keys(rest).length === 0 && typeof text === "string";
  const texts = isKnown ? textsIn(messages, said) : null;
  if (texts === null || typeof text !== "string") return notCarried();
  return withText(said, texts, text);
}

function textsIn(messages: JsonValue | undefined, said: readonly Said[]): readonly string[] | null {
  if (!Array.isArray(messages) || messages.length !== said.length) return null;
  const texts: string[] = [];
  for (const [index, message] of (messages as readonly JsonValue[]).entries()) {
    if (!isJsonObject(message) || Object.keys(message).length !== 2) return null;
    const { role, content } = message;
    if (role !== said[index]?.role || typeof content !== "string") return null;
    texts.push(content);
  }
  return texts;
}

/**
 * `text` repeats the messages. A policy may rewrite only the messages, or both in the same way, or, when
 * there is one text, either. In any other case it is unknown to which text a part belongs.
 */
function withText(said: readonly Said[], texts: readonly string[], text: string): Result<readonly string[]> {
  const original = joined(said.map((one) => one.text));
  const repeated = joined(texts);
  if (text === repeated || text === original) return ok(texts);
  return texts.length === 1 && repeated === original ? ok([text]) : notCarried();
}

function joined(texts: readonly string[]): string {
  return texts.join("\n");
}

function notCarried(): ReturnType<typeof denied> {
  return denied("shaping_unsupported", "The policy rewrites more of the message than its texts.");
}
