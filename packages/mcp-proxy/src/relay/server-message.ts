import { confusableWith } from "@svc/tool-calls/confusables";
import { isRecord } from "./is-record.ts";
import { repeatsKey } from "./json-keys.ts";

/** An answer to a request, as a server wrote it: only its form was looked at. */
export type RpcAnswer = Readonly<Record<string, unknown>>;

/**
 * What a text from a server is to a client. `request`: it wants an answer, or is no notification by its name.
 * `nothing`: no client can find a message in it. `unreadable`: one client may find another message in it than
 * the next, or more than one.
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

/**
 * Levels in which no member may be repeated, as count: the proxy reads no deeper than `result.task.taskId`.
 */
const READ_LEVELS = 3;

/**
 * Reads what a server sends. Lists count as unreadable: batches are in no revision that is served here.
 * @param text null: the bytes are no UTF-8, of which every reader makes something else
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

/** Members without which nobody takes an object for a message. */
function isLikeMessage(key: string): boolean {
  const names = ["jsonrpc", "method"];
  return names.includes(key) || confusableWith([key], names) !== null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
