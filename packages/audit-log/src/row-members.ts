import type { JsonObject } from "@svc/contract/json-value";
import { parseJsonObject } from "./parse-json-object.ts";

/** Begins the arguments of a decision row: only an identifier or null stands before it. */
const ARGS_START = Buffer.from(',"args":');

/**
 * Follows the arguments. No text can hold it, since quotation marks are escaped there, and no member behind
 * the arguments has a member of that name, so its last place is the right one.
 */
const ARGS_END = Buffer.from(',"args_digest":"');

/**
 * The members of a stored row without `args`, which can be longer than everything else together by far. Says
 * nothing about the row's integrity. Null when the bytes are not a row.
 */
export function rowMembersWithoutArgs(bytes: Uint8Array): JsonObject | null {
  const row = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = row.indexOf(ARGS_START);
  const end = row.lastIndexOf(ARGS_END);
  if (start < 0 || end < start) return parseJsonObject(row.toString("utf8"));
  return parseJsonObject(row.toString("utf8", 0, start) + row.toString("utf8", end));
}
