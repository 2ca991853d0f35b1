import type { JsonValue } from "@svc/text/json-value";
import { MAX_JSON_DEPTH } from "@svc/text/limits";
import { FORBIDDEN_KEYS } from "@svc/text/strict-json-parser";
import { MalformedCall } from "./malformed-call.ts";

/**
 * A copy of a value that is exactly its JSON, so that what is judged is what runs, whatever the caller
 * changes meanwhile. A member that is undefined is left out, as JSON.stringify leaves it out.
 * @param path names the value in errors
 * @throws MalformedCall for anything that JSON would drop or write as another value.
 */
export function jsonSnapshot(value: unknown, path: string): JsonValue {
  return snapshot(value, path, MAX_JSON_DEPTH);
}

function snapshot(value: unknown, path: string, levels: number): JsonValue {
  switch (typeof value) {
    case "boolean":
      return value;
    case "string":
      if (value.isWellFormed()) return value;
      throw new MalformedCall(`${path}: expected well-formed Unicode`);
    case "number":
      return number(value, path);
    case "object":
      if (value === null) return null;
      if (levels === 0)
        throw new MalformedCall(
          `${path}: expected at most ${String(MAX_JSON_DEPTH)} levels (does it contain itself?)`,
        );
      return Array.isArray(value) ? array(value, path, levels - 1) : object(value, path, levels - 1);
    default:
      throw new MalformedCall(`${path}: expected a value that JSON can say, found ${typeof value}`);
  }
}

function number(value: number, path: string): number {
  if (!Number.isFinite(value)) throw new MalformedCall(`${path}: expected a finite number`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new MalformedCall(`${path}: expected an integer within 2^53 - 1. Write a larger one as text`);
  return value === 0 ? 0 : value;
}

function array(value: readonly unknown[], path: string, levels: number): JsonValue {
  return Array.from(value, (item, index) => snapshot(item, `${path}[${String(index)}]`, levels));
}

function object(value: object, path: string, levels: number): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new MalformedCall(`${path}: expected a plain object, found another. Pass its JSON instead`);
  const copy: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw new MalformedCall(`${path}: expected no member named ${key}`);
    if (!key.isWellFormed()) throw new MalformedCall(`${path}: expected well-formed Unicode in names`);
    if (item !== undefined) copy[key] = snapshot(item, `${path}.${key}`, levels);
  }
  return copy;
}
