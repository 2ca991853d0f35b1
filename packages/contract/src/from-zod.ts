import type { ZodType } from "zod";
import type { JsonValue } from "./json-value.ts";
import { describeFound, type Parsed } from "./parsed.ts";
import type { ProblemEntry } from "./problem.ts";

type ZodFailure = NonNullable<ReturnType<ZodType["safeParse"]>["error"]>;
type ZodIssue = ZodFailure["issues"][number];

/** Reads a value through a zod schema; every issue becomes an entry that names its field. */
export function parseWith<Value>(schema: ZodType<Value>, value: JsonValue): Parsed<Value> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, errors: result.error.issues.flatMap((issue) => entriesOf(issue, value)) };
}

function entriesOf(issue: ZodIssue, value: JsonValue): ProblemEntry[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => entryAt([...issue.path, key], "no such field", value));
  }
  return [entryAt(issue.path, issue.message.replace(/^expected /, ""), value)];
}

function entryAt(path: readonly PropertyKey[], expected: string, value: JsonValue): ProblemEntry {
  const pointer = path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { pointer, expected, found: describeFound(valueAt(path, value)) };
}

function valueAt(path: readonly PropertyKey[], value: JsonValue): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<PropertyKey, JsonValue>>)[key];
  }
  return at;
}
