import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";

const OPERATORS: Readonly<Record<string, string>> = {
  ">": "is more than",
  ">=": "is at least",
  "<": "is less than",
  "<=": "is at most",
  "==": "is",
  "!=": "is not",
  in: "is one of",
  not_in: "is none of",
  contains: "contains",
  starts_with: "begins with",
  ends_with: "ends with",
  matches: "matches the pattern",
  exists: "is present",
  not_exists: "is absent",
  detects: "holds what is detected as",
  path_within: "is a path within",
};

/** When a rule of a policy document applies, in sentences; null when the document does not hold the rule. */
export function describeRule(document: JsonValue, ruleId: string): readonly string[] | null {
  const rules = isJsonObject(document) ? document["rules"] : null;
  const rule = Array.isArray(rules) ? rules.filter(isJsonObject).find(({ id }) => id === ruleId) : undefined;
  const match = rule?.["match"];
  if (rule === undefined || !isJsonObject(match)) return null;
  const { tool, condition, all, any } = match;
  const asked =
    rule["action"] === "require_approval"
      ? "It asks for an approval"
      : `Its action is ${textOf(rule["action"])}`;
  const lines = [`${asked} of calls of tools that match ${textOf(tool)}.`];
  if (isJsonObject(condition)) lines.push(`The call is covered if ${conditionText(condition)}.`);
  if (Array.isArray(all)) lines.push(`The call is covered if ${joined(all, "and")}.`);
  if (Array.isArray(any)) lines.push(`The call is covered if ${joined(any, "or")}.`);
  return lines;
}

function joined(conditions: readonly JsonValue[], word: "and" | "or"): string {
  return conditions.filter(isJsonObject).map(conditionText).join(`, ${word} `);
}

function conditionText({ field, operator, value }: JsonObject): string {
  const name = typeof operator === "string" ? operator : textOf(operator);
  const words = OPERATORS[name] ?? name;
  const subject = typeof field === "string" ? field : textOf(field);
  return `${subject} ${words}${value === undefined ? "" : ` ${textOf(value)}`}`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? `"${value}"` : JSON.stringify(value ?? null);
}
