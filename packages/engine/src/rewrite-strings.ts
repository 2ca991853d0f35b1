import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";

/** Rewrites one string. `isAnnounced`: a name above it, at any depth, or right before it says what it is. */
export type StringRewrite = (text: string, isAnnounced: boolean) => string;

/** Whether a name announces everything below it. */
export type Announces = (name: string) => boolean;

export interface StringRewriting {
  readonly rewrite: StringRewrite;
  /** Absent: no name announces anything. */
  readonly announces?: Announces;
  /** Whether short numbers are rewritten as well. */
  readonly everyNumber?: boolean;
}

/** Members that hold a name where headers are a list: `{"name": "x-api-key", "value": ...}`. */
const NAMING_MEMBERS = ["name", "key", "header"] as const;

/** Longest value, in UTF-16 units, that is taken for the name of a header or an option (`--token`). */
const MAX_NAME_LENGTH = 128;

/** Numbers below it have too few digits for anything that detectors look for. */
const MIN_TELLING_NUMBER = 100_000_000;

/**
 * The object with every string in it rewritten, names of members included, and long numbers as their digits.
 * Copies only what changes: the same object comes back when nothing does. Members whose rewritten names meet
 * are kept apart by a number.
 */
export function rewriteMembers(
  object: JsonObject,
  rewriting: StringRewriting,
  isAnnounced: boolean = false,
): JsonObject {
  let changed = false;
  const members: [string, JsonValue][] = [];
  const isNamed = isAnnounced || namesSecret(object, rewriting);
  for (const [name, value] of Object.entries(object)) {
    const newName = rewriting.rewrite(name, isAnnounced);
    const isBelow = isNamed || rewriting.announces?.(name) === true;
    const newValue = rewriteValue(value, rewriting, isBelow);
    changed ||= newName !== name || newValue !== value;
    members.push([newName, newValue]);
  }
  return changed ? objectOf(members) : object;
}

/** Whether one of the object's own members gives a name that announces what is beside it. */
function namesSecret(object: JsonObject, rewriting: StringRewriting): boolean {
  return NAMING_MEMBERS.some(
    (member) => Object.hasOwn(object, member) && announces(rewriting, object[member]),
  );
}

function rewriteValue(value: JsonValue, rewriting: StringRewriting, isAnnounced: boolean): JsonValue {
  if (typeof value === "string") return rewriting.rewrite(value, isAnnounced);
  if (typeof value === "number") return rewriteNumber(value, rewriting, isAnnounced);
  if (isJsonObject(value)) return rewriteMembers(value, rewriting, isAnnounced);
  return Array.isArray(value) ? rewriteItems(value, rewriting, isAnnounced) : value;
}

function rewriteItems(
  items: readonly JsonValue[],
  rewriting: StringRewriting,
  isAnnounced: boolean,
): JsonValue {
  const rewritten = items.map((item, at) =>
    rewriteValue(item, rewriting, isAnnounced || announces(rewriting, items[at - 1])),
  );
  return rewritten.some((item, at) => item !== items[at]) ? rewritten : items;
}

/** Whether a value that may be a name announces what is beside it or follows it. */
function announces(rewriting: StringRewriting, name: JsonValue | undefined): boolean {
  if (rewriting.announces === undefined || typeof name !== "string") return false;
  return name.length <= MAX_NAME_LENGTH && rewriting.announces(name);
}

/** A card number may come as a number; rewritten, it is text. */
function rewriteNumber(
  value: number,
  { rewrite, everyNumber }: StringRewriting,
  isAnnounced: boolean,
): JsonValue {
  if (everyNumber !== true && Math.abs(value) < MIN_TELLING_NUMBER) return value;
  const text = String(value);
  const rewritten = rewrite(text, isAnnounced);
  return rewritten === text ? value : rewritten;
}

function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  const object = Object.create(null) as Record<string, JsonValue>;
  // Counting on per name: thousands of names that all become one must not be tried against each other.
  const counts = new Map<string, number>();
  for (const [name, value] of members) {
    let free = name;
    while (Object.hasOwn(object, free)) {
      const count = (counts.get(name) ?? 1) + 1;
      counts.set(name, count);
      free = `${name}#${String(count)}`;
    }
    object[free] = value;
  }
  return object;
}
