import { isJsonObject, type JsonValue } from "@svc/text/json-value";

/** Names of members and places in lists, from the root of a document inwards. */
export type JsonPath = readonly (string | number)[];

/** The same value with another one at a path that exists in it. */
export function replaceAt(value: JsonValue, path: JsonPath, put: JsonValue): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return put;
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) =>
      index === step ? replaceAt(item, rest, put) : item,
    );
  }
  if (!isJsonObject(value)) return value;
  return { ...value, [step]: replaceAt(value[step] ?? null, rest, put) };
}
