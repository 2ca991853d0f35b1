import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { malformed, ok, type Result } from "../result.ts";

/** The result of an assembler for an event that it accepted. */
export const TAKEN: Result<null> = ok(null);

/** Reads an index in a list, from 0. */
export function readIndex(event: JsonObject, name: string): Result<number> {
  const value = event[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? ok(value)
    : malformed(name, "a whole number from 0", "another value");
}

/** Reads a text; null when it is left out. */
export function readOptionalText(event: JsonObject, name: string): Result<string | null> {
  const value = event[name] ?? null;
  return value === null || typeof value === "string" ? ok(value) : malformed(name, "a text", "another value");
}

/** Whether a value counts as absent. Providers send such values until the real one is known. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
