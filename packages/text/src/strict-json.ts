import { isAscii, isUtf8 } from "node:buffer";
import { type JsonFault, malformedAt } from "./json-fault.ts";
import { MAX_BODY_BYTES } from "./limits.ts";
import { parseStrictJsonText, type StrictJsonResult, tooLargeJson } from "./strict-json-text.ts";

export type { JsonFault };

/**
 * Reads strict JSON (RFC 8259, and less): UTF-8 without BOM, no repeated keys, none of `__proto__`,
 * `constructor`, `prototype` as a key, at most MAX_JSON_DEPTH levels, finite numbers, integers within 2^53 -
 * 1, no negative zero, well-formed Unicode. Every reader that accepts such a text reads the same value from
 * it. Never throws.
 * @param maxBytes the bound of this kind of document; by default that of a request body.
 */
export function parseStrictJson(bytes: Uint8Array, maxBytes: number = MAX_BODY_BYTES): StrictJsonResult {
  if (bytes.byteLength > maxBytes) return tooLargeJson(bytes.byteLength, maxBytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return parseStrictJsonText(buffer.toString("latin1"), maxBytes);
  return isUtf8(buffer) ? parseStrictJsonText(buffer.toString("utf8"), maxBytes) : notUtf8(buffer);
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
