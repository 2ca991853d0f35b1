import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { textOf } from "./text-of.ts";

/** Whether no value meets both tests of one field. Says so only where it is sure. */
export function areExclusive(one: JsonObject, other: JsonObject): boolean {
  return excludes(one, other) || excludes(other, one);
}

function excludes(one: JsonObject, other: JsonObject): boolean {
  if (takesCase(one) || takesCase(other)) return false;
  const values = valuesOf(one);
  switch (one["operator"]) {
    case "==":
    case "in":
      return isEquality(other) && values.every((value) => !valuesOf(other).includes(value));
    case ">":
    case ">=": {
      const [low, high] = [Number(values[0]), Number(valuesOf(other)[0])];
      if (other["operator"] === "<") return high <= low;
      return other["operator"] === "<=" && (high < low || (high === low && one["operator"] === ">"));
    }
    case "starts_with":
      return other["operator"] === "starts_with" && noneBegins(values, valuesOf(other), (text) => text);
    case "ends_with":
      return other["operator"] === "ends_with" && noneBegins(values, valuesOf(other), reversed);
    case "path_within":
      return other["operator"] === "path_within" && noneBegins(values, valuesOf(other), asFolder);
    default:
      return false;
  }
}

function isEquality({ operator }: JsonObject): boolean {
  return operator === "==" || operator === "in";
}

export function takesCase({ ignore_case }: JsonObject): boolean {
  return ignore_case === true;
}

export function valuesOf({ value = null }: JsonObject): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
}

function noneBegins(
  ones: readonly JsonValue[],
  others: readonly JsonValue[],
  form: (text: string) => string,
): boolean {
  const texts = (values: readonly JsonValue[]) => values.map((value) => form(textOf(value)));
  const [left, right] = [texts(ones), texts(others)];
  return left.every((one) => right.every((other) => !one.startsWith(other) && !other.startsWith(one)));
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join("");
}

function asFolder(path: string): string {
  return `${path.replace(/\/+$/, "")}/`;
}
