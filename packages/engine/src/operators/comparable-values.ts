import type { JsonValue } from "@svc/text/json-value";

/** A list of one value means the same as that value. */
export function onlyValue(value: JsonValue): JsonValue {
  const [first, ...others] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return first === undefined || others.length > 0 ? value : first;
}

/** Lists whose order means nothing. */
export function sortedList(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  return (value as readonly JsonValue[]).toSorted((one, other) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
  );
}
