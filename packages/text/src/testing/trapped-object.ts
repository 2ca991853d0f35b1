import type { JsonArray, JsonObject, JsonValue } from "../json-value.ts";

/** Throws as soon as somebody reads a member that no object has itself. */
const TRAP: object = new Proxy(Object.create(null) as object, {
  // JSON.stringify asks every object for toJSON, and parsed JSON inherits none.
  get: (_, name) => (name === "toJSON" ? undefined : inherited(name)),
  has: (_, name) => inherited(name),
  set: (_, name) => inherited(name),
});

function inherited(name: string | symbol): never {
  throw new Error(`an inherited member was read or written: ${String(name)}`);
}

/** A copy whose objects, at every depth, betray a reader that takes an inherited member for their own. */
export function trappedObject(object: JsonObject): JsonObject {
  const copy = Object.fromEntries(Object.entries(object).map(([name, value]) => [name, trapped(value)]));
  return Object.setPrototypeOf(copy, TRAP) as JsonObject;
}

function trapped(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? (value as JsonArray).map(trapped) : trappedObject(value as JsonObject);
}
