import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { BLOCKED, type FieldPath, MISSING, memberOf, type Segment } from "./field-path.ts";

/** Marks a member that is to go. */
export const REMOVED = Symbol("removed");

/** The new value for what stands at a path; `REMOVED` takes it away. */
export type Change = (found: JsonValue | typeof MISSING) => JsonValue | typeof REMOVED;

/**
 * The arguments with the value at one path changed. Copies what lies on the way and nothing else; the same
 * object comes back when nothing changes. Objects that are missing on the way are made. A removed list
 * entry becomes null, so that the others keep their places.
 * @returns BLOCKED when the path cannot be followed: a text on the way, or a place past the end of a list.
 */
export function changeAt(args: JsonObject, path: FieldPath, change: Change): JsonObject | typeof BLOCKED {
  const changed = changeIn(args, path.segments, 0, change);
  return typeof changed !== "symbol" && isJsonObject(changed) ? changed : BLOCKED;
}

function changeIn(
  value: JsonValue | typeof MISSING,
  segments: readonly Segment[],
  at: number,
  change: Change,
): JsonValue | typeof MISSING | typeof BLOCKED | typeof REMOVED {
  const segment = segments[at];
  if (segment === undefined) return change(value);
  const found = value === MISSING ? MISSING : memberOf(value, segment);
  if (found === BLOCKED) return BLOCKED;
  const changed = changeIn(found, segments, at + 1, change);
  if (changed === BLOCKED) return BLOCKED;
  if (changed === found || (changed === REMOVED && found === MISSING) || changed === MISSING) return value;
  if (Array.isArray(value))
    return changeItem(value as JsonArray, segment, changed === REMOVED ? null : changed);
  const object = isJsonObject(value === MISSING ? undefined : value) ? (value as JsonObject) : {};
  return changeMember(object, segment, changed);
}

function changeItem(items: JsonArray, { index }: Segment, value: JsonValue): JsonValue | typeof BLOCKED {
  if (index === null || index >= items.length) return BLOCKED;
  return items[index] === value ? items : items.with(index, value);
}

function changeMember(object: JsonObject, { name }: Segment, value: JsonValue | typeof REMOVED): JsonObject {
  const copy = Object.assign(Object.create(null) as Record<string, JsonValue>, object);
  if (value === REMOVED) delete copy[name];
  else copy[name] = value;
  return copy;
}
