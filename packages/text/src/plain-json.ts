import { isUtf8 } from "node:buffer";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "./limits.ts";
import { FORBIDDEN_KEYS, numberFault } from "./strict-json-parser.ts";

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const FIRST_NOT_ASCII = 0x80;

/** Most names are shorter, and so need not be looked up. */
const SHORTEST_FORBIDDEN = Math.min(...Array.from(FORBIDDEN_KEYS, ({ length }) => length));

/**
 * Reads a JSON object without escapes by `JSON.parse`, and proves that `parseStrictJson` reads the same
 * value. Null means that this is not proven. The caller then asks `parseStrictJson`, which alone refuses.
 * Objects have `Object.prototype`: read own properties only. Never throws.
 */
export function parsePlainJson(bytes: Uint8Array): JsonObject | null {
  if (bytes.byteLength > MAX_BODY_BYTES) return null;
  const written = scanWritten(bytes);
  if (written === null) return null;
  const value = parseDecoded(bytes, written.isAscii);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  // JSON.parse keeps one member of each name, so equal counts prove that no name was repeated.
  return countMembers(value, 0) === written.members ? (value as JsonObject) : null;
}

/** What the bytes of a JSON text without escapes show. */
interface Written {
  /** Members of its objects: the colons outside its strings. */
  readonly members: number;
  readonly isAscii: boolean;
}

/** Null for a text with an escape. */
function scanWritten(bytes: Uint8Array): Written | null {
  let members = 0;
  let bits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    bits |= byte;
    if (byte === COLON) members += 1;
    else if (byte === BACKSLASH) return null;
    else if (byte === QUOTE) {
      for (at += 1; at < bytes.length; at += 1) {
        const inside = bytes[at] as number;
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) return null;
        bits |= inside;
      }
    }
  }
  return { members, isAscii: bits < FIRST_NOT_ASCII };
}

/** Null also stands for a text that is not JSON. Neither is an object. */
function parseDecoded(bytes: Uint8Array, isAscii: boolean): JsonValue {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Without escapes, strings of valid UTF-8 hold no lone surrogate.
  if (!isAscii && !isUtf8(buffer)) return null;
  try {
    return JSON.parse(buffer.toString(isAscii ? "latin1" : "utf8")) as JsonValue;
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
    if (name.length >= SHORTEST_FORBIDDEN && FORBIDDEN_KEYS.has(name)) return Number.NaN;
    members += 1 + countMembers(object[name] as JsonValue, depth + 1);
  }
  return members;
}
