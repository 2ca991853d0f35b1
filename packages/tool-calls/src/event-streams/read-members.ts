import type { JsonObject, JsonValue } from "@svc/contract/json-value";
import { malformed, ok, type Result } from "../result.ts";

/** What an assembler says of an event that it took. */
export const TAKEN: Result<null> = ok(null);

/** A place in a list, from 0. */
export function readIndex(event: JsonObject, name: string): Result<number> {
  const value = event[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? ok(value)
    : malformed(name, "a whole number from 0", "another value");
}

/** A text that may be left out; null then. */
export function readOptionalText(event: JsonObject, name: string): Result<string | null> {
  const value = event[name] ?? null;
  return value === null || typeof value === "string" ? ok(value) : malformed(name, "a text", "another value");
}

/** Whether a value says nothing: providers fill members like this until they know better. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
