import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { confusableWith } from "../confusables.ts";
import {
  type ClientMessage,
  INVALID_REQUEST,
  type MessageFault,
  PARSE_ERROR,
  type RpcId,
} from "./mcp-message.ts";

export type ParsedMcpMessage =
  | { readonly ok: true; readonly message: ClientMessage }
  | { readonly ok: false; readonly fault: MessageFault };

/** Members of a message. The set is closed, and a look-alike of a member is refused. */
const MEMBERS = ["jsonrpc", "id", "method", "params", "result", "error"] as const;

/** Members of params that determine the call. Their look-alikes are refused. */
const PARAMS = ["name", "arguments", "uri", "task", "taskId", "inputResponses", "requestState", "_meta"];

/**
 * Reads the body of a POST. What is accepted means the same to every reader: strict JSON, one message, no
 * look-alike of a member. Batches are refused: servers execute what is inside them.
 */
export function parseMcpMessage(bytes: Uint8Array, maxBytes: number): ParsedMcpMessage {
  const json = parseStrictJson(bytes, maxBytes);
  if (!json.ok) {
    const { expected, found, line, column } = json.fault;
    const place = `line ${String(line)}, column ${String(column)}`;
    return refused(
      PARSE_ERROR,
      `The body is not strict JSON: expected ${expected}, found ${found} (${place}).`,
    );
  }
  if (Array.isArray(json.value)) return refused(INVALID_REQUEST, "Batches are refused: send one message.");
  if (!isJsonObject(json.value)) return refused(INVALID_REQUEST, "The body is not a JSON object.");
  return readObject(json.value);
}

function readObject(document: JsonObject): ParsedMcpMessage {
  const known = new Set<string>(MEMBERS);
  const keys = Object.keys(document);
  // Without these two members and their look-alikes, no server can read a request.
  if (!keys.some((key) => isLike(key, ["jsonrpc", "method"]))) return accepted({ kind: "other" });
  const stray = keys.find((key) => !known.has(key));
  if (stray !== undefined)
    return refused(INVALID_REQUEST, `The message has a member other than ${MEMBERS.join(", ")}.`);
  if (document["jsonrpc"] !== "2.0") return refused(INVALID_REQUEST, 'Expected jsonrpc "2.0".');
  return Object.hasOwn(document, "method") ? readCall(document) : readResponse(document);
}

function readResponse(document: JsonObject): ParsedMcpMessage {
  const isAnswer = Object.hasOwn(document, "result") !== Object.hasOwn(document, "error");
  if (!isAnswer || Object.hasOwn(document, "params"))
    return refused(INVALID_REQUEST, "Expected a method, or one of result and error.");
  return accepted({ kind: "response", document });
}

function readCall(document: JsonObject): ParsedMcpMessage {
  const { method, params = {} } = document;
  const id = Object.hasOwn(document, "id") ? readId(document["id"]) : undefined;
  if (id === null) return refused(INVALID_REQUEST, "Expected an id that is a string or an integer.");
  const refusedWithId = (why: string): ParsedMcpMessage => refused(INVALID_REQUEST, why, id ?? null);
  if (typeof method !== "string") return refusedWithId("Expected a method that is a string.");
  if (Object.hasOwn(document, "result") || Object.hasOwn(document, "error"))
    return refusedWithId("A message has a method, or a result or error; not both.");
  if (!isJsonObject(params)) return refusedWithId("Expected params that are an object.");
  const alias = confusableWith(Object.keys(params), PARAMS);
  if (alias !== null) return refusedWithId(`params has a look-alike of ${alias}.`);
  if (id === undefined) return accepted({ kind: "notification", method, document });
  return accepted({ kind: "request", id, method, params, document });
}

/** @returns null when it is not an id. The strict reader has already refused numbers beyond 2^53. */
function readId(id: JsonValue | undefined): RpcId | null {
  return typeof id === "string" || (typeof id === "number" && Number.isInteger(id)) ? id : null;
}

function isLike(key: string, names: readonly string[]): boolean {
  return names.includes(key) || confusableWith([key], names) !== null;
}

function accepted(message: ClientMessage): ParsedMcpMessage {
  return { ok: true, message };
}

function refused(code: number, message: string, id: RpcId | null = null): ParsedMcpMessage {
  return { ok: false, fault: { status: 400, code, message, id } };
}
