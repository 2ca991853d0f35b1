import { invalidProblem } from "@svc/contract/body-problem";
import type { Problem } from "@svc/contract/problem";
import { camelCase } from "./camel-case.ts";

const ARGUMENTS: Readonly<Record<string, string>> = {
  cursor: "after",
  limit: "first",
  next_cursor: "endCursor",
};

/** The refusal of a parameter of a route, in the words of the arguments of a field. */
export function argumentProblem(refusal: Problem): Problem {
  const { code, errors } = refusal;
  if (code !== "invalid_request" || errors === undefined) return refusal;
  const entries = errors.map((entry) => ({
    ...entry,
    pointer: ARGUMENTS[entry.pointer] ?? camelCase(entry.pointer),
    expected: argumentText(entry.expected),
    ...(entry.fix === undefined ? {} : { fix: argumentText(entry.fix) }),
  }));
  return invalidProblem(entries);
}

function argumentText(text: string): string {
  return text
    .replaceAll(/, (?:separated by commas|a comma between two) \(%2C in one\)/g, " in a list")
    .replaceAll(/\b(?:next_cursor|cursor|limit)\b/g, (name) => ARGUMENTS[name] ?? name);
}
