import type { JsonObject } from "@svc/text/json-value";
import { parseJsonObject } from "./parse-json-object.ts";

/** Begins the arguments of a decision row: only an identifier or null stands before it. */
const ARGS_START = ',"args":';

/**
 * Follows the arguments. No text can hold it, since quotation marks are escaped there, and no member behind
 * the arguments has a member of that name, so its last place is the right one.
 */
const ARGS_END = ',"args_digest":"';

/**
 * The members of a stored row without `args`, which can be longer than everything else together by far. Says
 * nothing about the row's integrity. Null when it is not a row.
 * @param row the stored bytes, or the text before it is stored
 */
export function rowMembersWithoutArgs(row: Uint8Array | string): JsonObject | null {
  if (typeof row !== "string") return membersOfBytes(Buffer.from(row.buffer, row.byteOffset, row.byteLength));
  const start = row.indexOf(ARGS_START);
  const end = row.lastIndexOf(ARGS_END);
  return parseJsonObject(start < 0 || end < start ? row : row.slice(0, start) + row.slice(end));
}

/** Decodes no more than it needs. */
function membersOfBytes(row: Buffer): JsonObject | null {
  const start = row.indexOf(ARGS_START);
  const end = row.lastIndexOf(ARGS_END);
  if (start < 0 || end < start) return parseJsonObject(row.toString("utf8"));
  return parseJsonObject(row.toString("utf8", 0, start) + row.toString("utf8", end));
}
