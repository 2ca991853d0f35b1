import type { JsonValue } from "./json-value.ts";

/**
 * The text of a value of the strict reader, to be sent on: written anew, so that every reader reads the value
 * that was judged, with members in the order in which they came. Only names that are array indexes, such as
 * "7", stand before the others, because objects of the language put them there. Digests and comparisons take
 * `canonicalJson`, whose order is fixed.
 */
export function strictText(value: JsonValue): string {
  return JSON.stringify(value);
}
