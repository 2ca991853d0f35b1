import type { JsonValue } from "./json-value.ts";
import type { ProblemEntry } from "./problem.ts";

/** A value of the expected form, or every fault that was found. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly ProblemEntry[] };

/** Longest excerpt of a refused value, in UTF-16 units: enough to recognise it, too little to leak a document. */
const EXCERPT_LENGTH = 64;

/** What came, for people: the JSON type and a short excerpt. */
export function describeFound(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${String(value.length)}`;
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  const excerpt = text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}...` : text;
  return `the ${typeof value} ${excerpt}`;
}
