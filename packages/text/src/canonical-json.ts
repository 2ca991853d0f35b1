import type { JsonValue } from "./json-value.ts";

/** Texts that stand between quotes as they are; everything else is escaped by JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/;
const SPACE = 0x20;
const TILDE = 0x7e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Length up to which a loop over the characters is faster than the pattern, in UTF-16 units. */
const SHORT_TEXT = 32;

/** Most names of members whose text is remembered, as count, and the longest of them, in UTF-16 units. */
const MAX_NAMES = 1_000;
const MAX_NAME_LENGTH = 64;

/** The text of a member's name with its colon: calls have the same few names. At most some 300 KB. */
const names = new Map<string, string>();

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
    text += separator + nameText(key) + canonicalJson(object[key] as JsonValue);
    separator = ",";
  }
  return `${text}}`;
}

function nameText(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const text = `${quoted(name)}:`;
  if (name.length > MAX_NAME_LENGTH) return text;
  // Forgetting all of them costs less than knowing which one was used last.
  if (names.size === MAX_NAMES) names.clear();
  names.set(name, text);
  return text;
}

function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}

function isPlain(text: string): boolean {
  if (text.length > SHORT_TEXT) return PLAIN.test(text);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < SPACE || unit > TILDE || unit === QUOTE || unit === BACKSLASH) return false;
  }
  return true;
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
