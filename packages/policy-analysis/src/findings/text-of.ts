import type { JsonValue } from "@svc/text/json-value";

/** A value as a text: a text as it is, and anything else as JSON. */
export function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
