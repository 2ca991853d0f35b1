import type { JsonObject, JsonValue } from "@svc/contract/json-value";

/** A place inside the arguments of a call, compiled. */
export interface FieldPath {
  /** As written: `args.card.number`. */
  readonly text: string;
  /** At least one. */
  readonly segments: readonly Segment[];
}

export interface Segment {
  readonly name: string;
  /** The same as an array index; null when the name is none. */
  readonly index: number | null;
}

/** There is nothing at the path. */
export const MISSING = Symbol("missing");

/**
 * Something stands on the way that cannot hold the rest of the path: a text, say, where an object was
 * expected.
 */
export const BLOCKED = Symbol("blocked");

const ROOT = "args.";
const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,5})$/;

/**
 * Most names in one path, as count; deeper than any arguments that pass the strict reader would be of no
 * use.
 */
const MAX_SEGMENTS = 32;

/** Names that reach an object's prototype; the strict reader refuses arguments that hold them. */
const REFUSED_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** @returns null when the text is not a path below `args`. */
export function parseFieldPath(text: string): FieldPath | null {
  if (!text.startsWith(ROOT)) return null;
  const names = text.slice(ROOT.length).split(".");
  if (names.length > MAX_SEGMENTS || names.some((name) => name === "" || REFUSED_NAMES.has(name)))
    return null;
  const segments = names.map((name) => ({ name, index: ARRAY_INDEX.test(name) ? Number(name) : null }));
  return { text, segments };
}

/**
 * Finds the value at a path. Objects are read by own enumerable property, arrays by number; nothing is
 * inherited, and nothing has a `length`.
 */
export function valueAt(args: JsonObject, path: FieldPath): JsonValue | typeof MISSING | typeof BLOCKED {
  let value: JsonValue = args;
  for (const segment of path.segments) {
    const next = memberOf(value, segment);
    if (next === MISSING || next === BLOCKED) return next;
    value = next;
  }
  return value;
}

/** One step of a path. */
export function memberOf(
  value: JsonValue,
  { name, index }: Segment,
): JsonValue | typeof MISSING | typeof BLOCKED {
  if (typeof value !== "object" || value === null) return BLOCKED;
  if (isArray(value)) return index === null ? BLOCKED : (value[index] ?? memberMissing(value, index));
  if (!Object.prototype.propertyIsEnumerable.call(value, name)) return MISSING;
  return value[name] ?? null;
}

/** Whether one path leads into, or is, the other. */
export function pathsOverlap(left: FieldPath, right: FieldPath): boolean {
  const length = Math.min(left.segments.length, right.segments.length);
  for (let at = 0; at < length; at += 1) {
    if (left.segments[at]?.name !== right.segments[at]?.name) return false;
  }
  return true;
}

function memberMissing(value: readonly JsonValue[], index: number): null | typeof MISSING {
  return index < value.length ? null : MISSING;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
