import type { JsonValue } from "@svc/text/json-value";

/** Longest JSON text of a value that an explanation shows, in UTF-16 units: many rules may show it. */
const SHOWN_LENGTH = 200;

/** The value, or the beginning of its text when it is long. */
export function cutValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return cutText(value);
  if (typeof value !== "object" || value === null) return value;
  return lengthWithin(value, SHOWN_LENGTH) < 0 ? beginningOf(JSON.stringify(value)) : value;
}

export function cutText(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : beginningOf(text);
}

function beginningOf(text: string): string {
  return `${text.slice(0, SHOWN_LENGTH).toWellFormed()}... (${String(text.length)} characters)`;
}

/** What is left of a length once the value is written; negative when it does not fit. Stops early. */
function lengthWithin(value: JsonValue, length: number): number {
  if (typeof value !== "object" || value === null) return length - String(value).length;
  let left = length;
  for (const [name, member] of Object.entries(value)) {
    left = lengthWithin(member, left - name.length);
    if (left < 0) break;
  }
  return left;
}
