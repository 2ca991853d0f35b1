import type { JsonObject } from "@svc/text/json-value";
import { takesCase, valuesOf } from "./are-exclusive.ts";

/** Whether every value of the right type meets one of two tests of one field. Says so only where it is. */
export function areExhaustive(one: JsonObject, other: JsonObject): boolean {
  return completes(one, other) || completes(other, one);
}

function completes(one: JsonObject, other: JsonObject): boolean {
  if (takesCase(one) || takesCase(other)) return false;
  const values = valuesOf(one);
  switch (one["operator"]) {
    case "!=":
    case "not_in":
      return (
        (other["operator"] === "!=" || other["operator"] === "not_in") &&
        values.every((value) => !valuesOf(other).includes(value))
      );
    case ">":
    case ">=": {
      const [low, high] = [Number(values[0]), Number(valuesOf(other)[0])];
      if (other["operator"] === "<=") return low <= high;
      return other["operator"] === "<" && (low < high || (low === high && one["operator"] === ">="));
    }
    default:
      return false;
  }
}
