import { parseJson } from "@svc/text/parse-json";
import { confusableWith } from "@svc/tool-calls/confusables";
import { isRecord } from "./is-record.ts";
import { repeatsKey } from "./json-keys.ts";

/** An answer to a request, as the server wrote it. Only its outer form is checked. */
export type RpcAnswer = Readonly<Record<string, unknown>>;

/**
 * A server's text as a client may read it. `request`: it has an id, or its name is not that of a
 * notification. `nothing`: no client finds a message in it. `unreadable`: two clients could find different
 * messages in it, or more than one.
 */
export type ServerMessage =
  | { readonly kind: "answer"; readonly answer: RpcAnswer }
  | { readonly kind: "request"; readonly method: string; readonly id: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "nothing" }
  | { readonly kind: "unreadable" };

const MEMBERS = ["jsonrpc", "id", "method", "params", "result", "error"];
const NOTHING: ServerMessage = { kind: "nothing" };
const UNREADABLE: ServerMessage = { kind: "unreadable" };

/** Levels in which a member may not be repeated, as count. The proxy reads down to `result.task.taskId`. */
const READ_LEVELS = 3;

/**
 * Reads what a server sends. A list is unreadable, because no revision that the proxy serves has batches.
 * @param text null for bytes that are not UTF-8, which every parser decodes differently
 */
export function readServerMessage(text: string | null): ServerMessage {
  if (text === null) return UNREADABLE;
  const document = parse(text);
  if (!isRecord(document)) return text.includes("{") ? UNREADABLE : NOTHING;
  if (repeatsKey(text, READ_LEVELS)) return UNREADABLE;
  const keys = Object.keys(document);
  if (confusableWith(keys, MEMBERS) !== null) return keys.some(isLikeMessage) ? UNREADABLE : NOTHING;
  const isAnswer = Object.hasOwn(document, "result") || Object.hasOwn(document, "error");
  if (!Object.hasOwn(document, "method")) return isAnswer ? readAnswer(document) : NOTHING;
  const { method } = document;
  if (typeof method !== "string" || isAnswer) return UNREADABLE;
  const isNotification = !Object.hasOwn(document, "id") && method.startsWith("notifications/");
  if (!isNotification) return { kind: "request", method, id: document["id"] };
  return { kind: "notification", method, params: document["params"] };
}

function readAnswer(document: RpcAnswer): ServerMessage {
  const isOne = Object.hasOwn(document, "result") !== Object.hasOwn(document, "error");
  return isOne ? { kind: "answer", answer: document } : UNREADABLE;
}

/** Whether a member could make a client take the object for a message. */
function isLikeMessage(key: string): boolean {
  const names = ["jsonrpc", "method"];
  return names.includes(key) || confusableWith([key], names) !== null;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
