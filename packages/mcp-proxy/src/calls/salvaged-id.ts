import { isUtf8 } from "node:buffer";
import { parseJson } from "@svc/text/parse-json";
import { confusableWith } from "@svc/tool-calls/confusables";
import type { RpcId } from "@svc/tool-calls/mcp-message";
import { isRecord } from "../relay/is-record.ts";
import { repeatsKey } from "../relay/json-keys.ts";

/**
 * The id of a request that was refused for something else in it. Null when two parsers could read
 * different ids. Use it only to answer: the client waits for this id, and an answer without it ends the
 * session of some clients.
 */
export function salvagedId(bytes: Buffer): RpcId | null {
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  const document = parse(text);
  if (!isRecord(document) || typeof document["method"] !== "string") return null;
  const { id } = document;
  const isId = typeof id === "string" || (Number.isSafeInteger(id) && !Object.is(id, -0));
  const isSure = confusableWith(Object.keys(document), NAMES) === null && !repeatsKey(text, 1);
  return isId && isSure ? (id as RpcId) : null;
}

const NAMES = ["id", "method"];

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
