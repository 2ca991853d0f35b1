import type { JsonValue } from "./json-value.ts";

/** Texts that stand between quotes as they are; everything else is escaped by JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Most keys that are sorted by insertion, as count: for so few it beats the general sort several times. */
const MAX_INSERTION_SORT = 16;

/**
 * RFC 8785 text of a value: keys in order of their UTF-16 units, numbers in ECMAScript form, no white space.
 * Equal values have equal texts, and different values different ones. The value must come from the strict
 * reader (or hold to its rules): numbers are finite and strings well-formed.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return canonicalArray(value);
  return canonicalObject(value as { readonly [name: string]: JsonValue });
}

function canonicalArray(array: readonly JsonValue[]): string {
  let text = "[";
  let separator = "";
  for (const item of array) {
    text += separator + canonicalJson(item);
    separator = ",";
  }
  return `${text}]`;
}

function canonicalObject(object: { readonly [name: string]: JsonValue }): string {
  let text = "{";
  let separator = "";
  for (const key of sorted(Object.keys(object))) {
    text += `${separator}${quoted(key)}:${canonicalJson(object[key] as JsonValue)}`;
    separator = ",";
  }
  return `${text}}`;
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/**
 * In place. `>` on strings and the default order of Array.prototype.sort both go by UTF-16 units (RFC 8785).
 */
function sorted(keys: string[]): string[] {
  if (keys.length > MAX_INSERTION_SORT) return keys.sort();
  for (let from = 1; from < keys.length; from += 1) {
    const key = keys[from] as string;
    let to = from;
    for (let before = keys[to - 1]; before !== undefined && before > key; before = keys[to - 1]) {
      keys[to] = before;
      to -= 1;
    }
    keys[to] = key;
  }
  return keys;
}
