import { isAscii, isUtf8 } from "node:buffer";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "./limits.ts";
import { FORBIDDEN_KEYS, numberFault } from "./strict-json-parser.ts";

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Reads a JSON object without escapes by `JSON.parse`, and proves that `parseStrictJson` reads the same
 * value. Null means that this is not proven. The caller then asks `parseStrictJson`, which alone refuses.
 * Objects have `Object.prototype`: read own properties only. Never throws.
 */
export function parsePlainJson(bytes: Uint8Array): JsonObject | null {
  if (bytes.byteLength > MAX_BODY_BYTES) return null;
  const members = countWrittenMembers(bytes);
  if (members === null) return null;
  const value = parseDecoded(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  // JSON.parse keeps one member of each name, so equal counts prove that no name was repeated.
  return countMembers(value, 0) === members ? (value as JsonObject) : null;
}

/** How many members a JSON text has: the colons outside its strings. Null for a text with an escape. */
function countWrittenMembers(bytes: Uint8Array): number | null {
  let colons = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case COLON:
        colons += 1;
        break;
      case BACKSLASH:
        return null;
      case QUOTE:
        for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
          if (bytes[at] === BACKSLASH) return null;
        }
        break;
      default:
    }
  }
  return colons;
}

/** Null also stands for a text that is not JSON. Neither is an object. */
function parseDecoded(bytes: Uint8Array): JsonValue {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLatin = isAscii(buffer);
  // Without escapes, strings of valid UTF-8 hold no lone surrogate.
  if (!isLatin && !isUtf8(buffer)) return null;
  try {
    return JSON.parse(buffer.toString(isLatin ? "latin1" : "utf8")) as JsonValue;
  } catch {
    return null;
  }
}

/** How many members the objects in a value have; NaN when the strict reader refuses the value. */
function countMembers(value: JsonValue, depth: number): number {
  if (typeof value === "number") return numberFault(value) === null ? 0 : Number.NaN;
  if (typeof value !== "object" || value === null) return 0;
  if (depth === MAX_JSON_DEPTH) return Number.NaN;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) members += countMembers(item, depth + 1);
    return members;
  }
  const object = value as JsonObject;
  for (const name of Object.keys(object)) {
    if (FORBIDDEN_KEYS.has(name)) return Number.NaN;
    members += 1 + countMembers(object[name] as JsonValue, depth + 1);
  }
  return members;
}
