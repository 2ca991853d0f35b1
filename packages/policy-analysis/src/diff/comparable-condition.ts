import { findOperator } from "@svc/engine/operator-table";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";

/** A condition in the form in which two are compared: defaults left out, one spelling for one meaning. */
export function comparableCondition(condition: JsonValue): JsonValue {
  if (!isJsonObject(condition)) return condition;
  const members = Object.entries(comparableTest(condition)).flatMap(([key, value]) =>
    key === "ignore_case" && value === false ? [] : [[key, comparableMember(key, value)] as const],
  );
  const [first] = members;
  const only = members.length === 1 && first !== undefined ? onlyCondition(first[0], first[1]) : null;
  return only ?? Object.fromEntries(members);
}

/** A list of one condition means the same as that condition. */
function onlyCondition(key: string, value: JsonValue): JsonValue | null {
  if ((key !== "all" && key !== "any") || !Array.isArray(value)) return null;
  const [only, ...others] = value as readonly JsonValue[];
  return only === undefined || others.length > 0 ? null : only;
}

function comparableMember(key: string, value: JsonValue): JsonValue {
  switch (key) {
    case "all":
    case "any":
    case "every":
    case "count":
    case "not":
      return Array.isArray(value)
        ? (value as readonly JsonValue[]).map(comparableCondition)
        : comparableCondition(value);
    default:
      return value;
  }
}

function comparableTest(condition: JsonObject): JsonObject {
  const { operator, value } = condition;
  const comparable = typeof operator === "string" ? findOperator(operator)?.comparable : undefined;
  if (comparable === undefined || value === undefined) return condition;
  return { ...condition, value: comparable(value) };
}
