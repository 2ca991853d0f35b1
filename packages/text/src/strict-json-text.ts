import type { JsonFault } from "./json-fault.ts";
import type { JsonValue } from "./json-value.ts";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "./limits.ts";
import { StrictJsonParser } from "./strict-json-parser.ts";

/**
 * The value, or why the text is not strict JSON. Exactly one value, nothing before or behind it
 * but white space.
 */
export type StrictJsonResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: JsonFault };

/**
 * Reads strict JSON of a text that is already decoded, as parseStrictJson does. Its size is judged
 * in UTF-16 units.
 */
export function parseStrictJsonText(text: string, maxUnits: number = MAX_BODY_BYTES): StrictJsonResult {
  if (text.length > maxUnits) return tooLargeJson(text.length, maxUnits);
  return new StrictJsonParser(text, MAX_JSON_DEPTH).parse();
}

export function tooLargeJson(size: number, maxBytes: number): StrictJsonResult {
  const expected = `at most ${String(maxBytes)} bytes`;
  return {
    ok: false,
    fault: { kind: "too_large", expected, found: `${String(size)} bytes`, offset: 0, line: 1, column: 1 },
  };
}
