import { isJsonObject, type JsonValue } from "@svc/text/json-value";

/** Keys and places that lead from a value to one inside it. */
export type JsonPath = readonly (string | number)[];

/** What stands at the end of the path; null when it leads nowhere. */
export function valueAt(value: JsonValue, path: JsonPath): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const members = value as Readonly<Record<string | number, JsonValue | undefined>> | null;
  const inner = typeof members === "object" ? members?.[first] : undefined;
  return inner === undefined ? null : valueAt(inner, rest);
}

/** The value with another one at the end of the path, which must lead somewhere. */
export function withValueAt(
  value: JsonValue,
  path: JsonPath,
  change: (found: JsonValue) => JsonValue,
): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) return change(value);
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return items.map((item, at) => (at === first ? withValueAt(item, rest, change) : item));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === first ? withValueAt(member, rest, change) : member,
    ]),
  );
}
