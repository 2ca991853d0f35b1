import type { JsonValue } from "./json-value.ts";

/**
 * RFC 8785 text of a value: keys in order of their UTF-16 units, numbers in ECMAScript form, no white space.
 * Equal values have equal texts, and different values different ones. The value must come from the strict
 * reader (or hold to its rules): numbers are finite and strings well-formed.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(value);
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
  // The default order of Array.prototype.sort is by UTF-16 units, which is what RFC 8785 asks for.
  for (const key of Object.keys(object).sort()) {
    text += `${separator}${JSON.stringify(key)}:${canonicalJson(object[key] as JsonValue)}`;
    separator = ",";
  }
  return `${text}}`;
}
