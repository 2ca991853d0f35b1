import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";

/** A place inside the arguments of a call, compiled. */
export interface FieldPath {
  /** As written: `args.card.number`. */
  readonly text: string;
  /** At least one. */
  readonly segments: readonly Segment[];
}

export interface Segment {
  readonly name: string;
  /** The name as an array index; null when it is not one. */
  readonly index: number | null;
}

/** The path leads to no value. */
export const MISSING = Symbol("missing");

/**
 * Something stands on the way that cannot hold the rest of the path: a text, say, where an
 * object was expected.
 */
export const BLOCKED = Symbol("blocked");

/**
 * Every place that a path with wildcards stands for. `*` is one member or element, whatever its name. `**` is
 * any number of levels, also none; at the end of a path it is everything below.
 */
export interface FieldPattern {
  /** As written: `args.items.*.card`, `args.**.token`. */
  readonly text: string;
  /** At least one. The last is never `**`, and no two `**` follow each other. */
  readonly segments: readonly PatternSegment[];
}

export type PatternSegment = Segment | "*" | "**";

const ROOT = "args.";
const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,5})$/;

/**
 * What a name in a path may consist of. Characters that other path languages give a meaning to are refused:
 * here they would be taken as they stand, and the path would lead nowhere.
 */
export const NAME_CHARACTERS = "[\\p{L}\\p{M}\\p{N}_@:/+-]+";
const NAME = new RegExp(`^${NAME_CHARACTERS}$`, "u");

/** Most segments of one path, as count: no real arguments are so deep, and a bit mask holds them. */
export const MAX_SEGMENTS = 30;

/** Names that reach an object's prototype; the strict reader refuses arguments that hold them. */
export const REFUSED_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** @returns null when the text is not a path below `args`. */
export function parseFieldPath(text: string): FieldPath | null {
  const pattern = parseFieldPattern(text);
  return pattern !== null && isFieldPath(pattern) ? pattern : null;
}

/** @returns null when the text is not a path below `args`, with or without wildcards. */
export function parseFieldPattern(text: string): FieldPattern | null {
  if (!text.startsWith(ROOT)) return null;
  const names = splitNames(text.slice(ROOT.length));
  if (names === null) return null;
  const segments: PatternSegment[] = [];
  for (const name of names) {
    const segment = parseSegment(name);
    if (segment === null) return null;
    // A `**` directly after another one adds nothing.
    if (segment !== "**" || segments.at(-1) !== "**") segments.push(segment);
  }
  if (segments.at(-1) === "**") segments.push("*");
  return segments.length > MAX_SEGMENTS ? null : { text, segments };
}

/** Whether the path stands for one place only. */
export function isFieldPath(pattern: FieldPattern): pattern is FieldPath {
  return pattern.segments.every((segment) => typeof segment !== "string");
}

/** Names between dots. A name in double quotes, written as in JSON, may hold anything. */
const NAMES = /(?:"(?:[^"\\]|\\.)*"|[^".][^.]*|)(?:\.|$)/gy;

function splitNames(text: string): readonly string[] | null {
  if (!text.includes('"')) return text.split(".");
  const pieces = text.match(NAMES) ?? [];
  if (pieces.join("") !== text || text.endsWith(".")) return null;
  const names = pieces.map((piece) => (piece.endsWith(".") ? piece.slice(0, -1) : piece));
  // The end of the text is also an empty piece.
  return names.at(-1) === "" ? names.slice(0, -1) : names;
}

function quotedName(name: string): string | null {
  try {
    const parsed: unknown = parseJson(name);
    return typeof parsed === "string" ? parsed : null;
  } catch {
    return null;
  }
}

function parseSegment(name: string): PatternSegment | null {
  if (name === "*" || name === "**") return name;
  if (name.startsWith('"')) {
    const member = quotedName(name);
    // In quotes a number is a name as well, and not a place in a list.
    return member === null || REFUSED_NAMES.has(member) ? null : { name: member, index: null };
  }
  if (!NAME.test(name) || REFUSED_NAMES.has(name)) return null;
  return { name, index: ARRAY_INDEX.test(name) ? Number(name) : null };
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

/**
 * Whether one path can lead into, or be, the other. What follows a `**` is unknown, so the answer
 * is then yes.
 */
export function pathsOverlap(left: FieldPattern, right: FieldPattern): boolean {
  const length = Math.min(left.segments.length, right.segments.length);
  for (let at = 0; at < length; at += 1) {
    const one = left.segments[at];
    const other = right.segments[at];
    if (one === "**" || other === "**") return true;
    if (typeof one === "object" && typeof other === "object" && one.name !== other.name) return false;
  }
  return true;
}

function memberMissing(value: readonly JsonValue[], index: number): null | typeof MISSING {
  return index < value.length ? null : MISSING;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
