import { excerpt } from "@svc/text/excerpt";
import type { JsonValue } from "@svc/text/json-value";
import type { ProblemEntry } from "./problem.ts";

/** Expectation for a field that the form does not have. */
export const NO_SUCH_FIELD = "no field of this name";

/**
 * Longest excerpt of a refused string, in characters: enough to recognise it, too little to leak a document.
 */
const EXCERPT_LENGTH = 64;

/**
 * Longest key that a pointer repeats, in UTF-16 units: the sender chose it, and it goes into
 * answers and logs.
 */
const POINTER_KEY_LENGTH = 128;

/**
 * Fields that hold a secret, or an address that is one. What came is not repeated: it would go into answers
 * and into logs.
 */
const SECRET_FIELDS: ReadonlySet<PropertyKey> = new Set(
  ["secret", "subject_token", "authorization", "token", "secret_access_key"].concat([
    "webhook",
    "slack",
    "chat",
    "pagerduty",
    "paging",
  ]),
);

/** A fault of a request, by the RFC 6901 pointer to where it is. */
export function problemEntry(
  path: readonly PropertyKey[],
  expected: string,
  found: JsonValue | undefined,
): ProblemEntry {
  const isSecret = typeof found === "string" && path.some((step) => SECRET_FIELDS.has(step));
  const shown = isSecret ? `a text of ${String(found.length)} characters (not shown)` : describeFound(found);
  return { pointer: pointerOf(path), expected, found: shown };
}

/** The RFC 6901 pointer to a place in a body. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map(pointerStep).join("");
}

/** What came, for people: the JSON type and a short excerpt in printable ASCII, so that look-alikes show. */
export function describeFound(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${String(value.length)}`;
  if (typeof value === "object")
    return Object.keys(value).length === 0 ? "an object without fields" : "an object";
  if (typeof value === "string") return `the string ${excerpt(value, EXCERPT_LENGTH)}`;
  return `the ${typeof value} ${String(value)}`;
}

function pointerStep(key: PropertyKey): string {
  const name = String(key);
  const shown = name.length > POINTER_KEY_LENGTH ? `${name.slice(0, POINTER_KEY_LENGTH)}...` : name;
  return `/${shown.replaceAll("~", "~0").replaceAll("/", "~1").toWellFormed()}`;
}
