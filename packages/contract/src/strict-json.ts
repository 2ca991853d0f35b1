import { isAscii, isUtf8 } from "node:buffer";
import { type JsonFault, malformedAt } from "./json-fault.ts";
import type { JsonValue } from "./json-value.ts";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "./limits.ts";
import { StrictJsonParser } from "./strict-json-parser.ts";

export type { JsonFault };

/**
 * The value, or why the text is not strict JSON. Exactly one value, nothing before or behind it
 * but white space.
 */
export type StrictJsonResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: JsonFault };

/**
 * Reads strict JSON (RFC 8259, and less): UTF-8 without BOM, no repeated keys, none of `__proto__`,
 * `constructor`, `prototype` as a key, at most MAX_JSON_DEPTH levels, finite numbers, integers within 2^53 -
 * 1, no negative zero, well-formed Unicode. Every reader that accepts such a text reads the same value from
 * it. Never throws.
 * @param maxBytes the bound of this kind of document; by default that of a request body.
 */
export function parseStrictJson(bytes: Uint8Array, maxBytes: number = MAX_BODY_BYTES): StrictJsonResult {
  if (bytes.byteLength > maxBytes) return tooLarge(bytes.byteLength, maxBytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return parseText(buffer.toString("latin1"));
  return isUtf8(buffer) ? parseText(buffer.toString("utf8")) : notUtf8(buffer);
}

/** The same for a text that is already decoded. Its size is judged in UTF-16 units. */
export function parseStrictJsonText(text: string): StrictJsonResult {
  return text.length > MAX_BODY_BYTES ? tooLarge(text.length, MAX_BODY_BYTES) : parseText(text);
}

function parseText(text: string): StrictJsonResult {
  return new StrictJsonParser(text, MAX_JSON_DEPTH).parse();
}

function tooLarge(size: number, maxBytes: number): StrictJsonResult {
  const expected = `at most ${String(maxBytes)} bytes`;
  return {
    ok: false,
    fault: { kind: "too_large", expected, found: `${String(size)} bytes`, offset: 0, line: 1, column: 1 },
  };
}

/**
 * Decoding puts a replacement character where the bytes are wrong: what is encoded anew differs
 * from there on.
 */
function notUtf8(buffer: Buffer): StrictJsonResult {
  const text = buffer.toString("utf8");
  const again = Buffer.from(text, "utf8");
  const at = buffer.findIndex((byte, index) => byte !== again[index]);
  const offset = buffer.toString("utf8", 0, at).length;
  const found = `the byte 0x${(buffer[at] ?? 0).toString(16).padStart(2, "0")}`;
  return { ok: false, fault: malformedAt(text, offset, { expected: "UTF-8", found }) };
}
