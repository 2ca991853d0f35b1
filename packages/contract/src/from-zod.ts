import type { ZodType } from "zod";
import type { JsonValue } from "./json-value.ts";
import { type Parsed, refused } from "./parsed.ts";
import type { ProblemEntry } from "./problem.ts";
import { NO_SUCH_FIELD, problemEntry } from "./problem-entry.ts";

type ZodFailure = NonNullable<ReturnType<ZodType["safeParse"]>["error"]>;
type ZodIssue = ZodFailure["issues"][number];

/**
 * Reads a value through a zod schema; every issue becomes an entry that names its field.
 * The schema's messages are the expectations, and start with "expected".
 */
export function parseWith<Value>(schema: ZodType<Value>, value: JsonValue): Parsed<Value> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  return refused(result.error.issues.flatMap((issue) => entriesOf(issue, value)));
}

function entriesOf(issue: ZodIssue, value: JsonValue): ProblemEntry[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => entryAt([...issue.path, key], NO_SUCH_FIELD, value));
  }
  const notAnObject = issue.code === "invalid_type" && issue.path.length === 0;
  return [entryAt(issue.path, notAnObject ? "an object" : issue.message.replace(/^expected /, ""), value)];
}

function entryAt(path: readonly PropertyKey[], expected: string, value: JsonValue): ProblemEntry {
  return problemEntry(path, expected, valueAt(path, value));
}

function valueAt(path: readonly PropertyKey[], value: JsonValue): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<PropertyKey, JsonValue>>)[key];
  }
  return at;
}
