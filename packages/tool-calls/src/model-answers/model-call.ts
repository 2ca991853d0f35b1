import { isName } from "@svc/contract/name";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { strictText } from "@svc/text/strict-text";
import { denied, malformed, ok, type Result } from "../result.ts";
import { type JsonPath, replaceAt } from "./replace-at.ts";

/** Most calls of one answer, as count. Each is one question, and the client waits for all. */
export const MAX_CALLS = 32;

/** One call in a model's answer, and the place for its rewritten arguments. */
export interface ModelCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly path: JsonPath;
  /** `text`: the arguments are JSON in a string. `none`: they cannot be rewritten. */
  readonly form: "object" | "text" | "none";
}

/** Refuses an answer with more calls than are asked about. */
export function boundedCalls(calls: readonly ModelCall[]): Result<readonly ModelCall[]> {
  return calls.length > MAX_CALLS
    ? malformed("answer", `at most ${String(MAX_CALLS)} calls`, "more")
    : ok(calls);
}

/**
 * The answer with rewritten arguments in their places.
 * @param shaped the rewritten arguments of each call, null where they stay
 */
export function putArguments(
  answer: JsonObject,
  calls: readonly ModelCall[],
  shaped: readonly (JsonObject | null)[],
): Result<JsonValue> {
  let edited: JsonValue = answer;
  for (const [index, { path, form }] of calls.entries()) {
    const args = shaped[index] ?? null;
    if (args === null) continue;
    if (form === "none")
      return denied("shaping_unsupported", "The arguments of this call cannot be rewritten here.");
    edited = replaceAt(edited, path, form === "text" ? strictText(args) : args);
  }
  return ok(edited);
}

/** The members of an array of objects. Any other value is refused. */
export function objectsIn(value: JsonValue | undefined, where: string): Result<readonly JsonObject[]> {
  if (value === undefined || value === null) return ok([]);
  if (!Array.isArray(value) || !value.every(isJsonObject))
    return malformed(where, "a list of objects", "another value");
  return ok(value);
}

/**
 * Reads the arguments that a model wrote as JSON into a string; an empty string stands for none. A refusal
 * names the fault and its place, but not the value, which a policy might have masked.
 */
export function readArgumentsText(value: JsonValue | undefined, where: string): Result<JsonObject> {
  if (typeof value !== "string") return malformed(where, "JSON in a string", "another value");
  if (value === "") return ok({});
  const document = parseStrictJsonText(value);
  if (!document.ok) {
    const { expected, line, column } = document.fault;
    return malformed(`${where}, line ${String(line)}, column ${String(column)}`, expected);
  }
  return isJsonObject(document.value)
    ? ok(document.value)
    : malformed(where, "a JSON object", "another value");
}

/** The arguments of a call as refusals name them: by its tool, or by its place when that is not a name. */
export function argumentsOf(tool: string, path: JsonPath): string {
  return `arguments of ${isName(tool) ? tool : path.join(".")}`;
}

export function readName(value: JsonValue | undefined, where: string): Result<string> {
  return typeof value === "string" ? ok(value) : malformed(where, "the name of a tool", "another value");
}

/** All values, or the first refusal. */
export function all<T>(results: readonly Result<T>[]): Result<readonly T[]> {
  const values: T[] = [];
  for (const result of results) {
    if (!result.ok) return result;
    values.push(result.value);
  }
  return ok(values);
}
