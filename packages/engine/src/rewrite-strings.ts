import { isJsonObject, type JsonObject, type JsonValue } from "@svc/contract/json-value";

/** Rewrites one string; `key` is the name it stands under, null in lists and for names themselves. */
export type StringRewrite = (text: string, key: string | null) => string;

/** Numbers below it have too few digits for anything that detectors look for. */
const MIN_TELLING_NUMBER = 100_000_000;

/**
 * The value with every string in it rewritten, names of members included, and long numbers as their digits.
 * Copies only what changes: the same value comes back when nothing does. Members whose rewritten names meet
 * are kept apart by a number.
 */
export function rewriteStrings(
  value: JsonValue,
  rewrite: StringRewrite,
  key: string | null = null,
): JsonValue {
  if (typeof value === "string") return rewrite(value, key);
  if (typeof value === "number") return rewriteNumber(value, rewrite, key);
  if (isJsonObject(value)) return rewriteMembers(value, rewrite);
  return Array.isArray(value) ? rewriteItems(value, rewrite) : value;
}

/** As `rewriteStrings`, for a whole object. */
export function rewriteMembers(object: JsonObject, rewrite: StringRewrite): JsonObject {
  let changed = false;
  const members: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(object)) {
    const newName = rewrite(name, null);
    const newValue = rewriteStrings(value, rewrite, name);
    changed ||= newName !== name || newValue !== value;
    members.push([newName, newValue]);
  }
  return changed ? objectOf(members) : object;
}

function rewriteItems(items: readonly JsonValue[], rewrite: StringRewrite): JsonValue {
  const rewritten = items.map((item) => rewriteStrings(item, rewrite));
  return rewritten.some((item, at) => item !== items[at]) ? rewritten : items;
}

/** A card number may come as a number; rewritten, it is text. */
function rewriteNumber(value: number, rewrite: StringRewrite, key: string | null): JsonValue {
  if (Math.abs(value) < MIN_TELLING_NUMBER) return value;
  const text = String(value);
  const rewritten = rewrite(text, key);
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
