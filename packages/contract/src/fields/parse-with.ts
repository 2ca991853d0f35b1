import type { JsonValue } from "@svc/text/json-value";
import { nearestName } from "@svc/text/nearest-name";
import type { ZodType } from "zod";
import { MAX_PROBLEM_ENTRIES } from "../limits.ts";
import type { ProblemEntry } from "../problems/problem.ts";
import { NO_SUCH_FIELD, problemEntry } from "../problems/problem-entry.ts";
import { NAME_EXPECTATION, nameFault } from "./name.ts";
import { type Parsed, refused } from "./parsed.ts";

type ZodFailure = NonNullable<ReturnType<ZodType["safeParse"]>["error"]>;
type ZodIssue = ZodFailure["issues"][number];

/** What to send instead, where that is known. `found` is undefined when nothing stands there. */
export type FixFor = (path: readonly PropertyKey[], found: JsonValue | undefined) => string | null;

/**
 * Reads a value through a zod schema; every issue becomes an entry that names its field.
 * The schema's messages are the expectations, and start with "expected".
 */
export function parseWith<Value>(
  schema: ZodType<Value>,
  value: JsonValue,
  fixFor: FixFor = () => null,
): Parsed<Value> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  // Cut before entries are made: each looks for the name that was meant, and a body can hold 30,000 names.
  const faults = result.error.issues.slice(0, MAX_PROBLEM_ENTRIES).flatMap(entriesOf);
  return refused(
    faults
      .slice(0, MAX_PROBLEM_ENTRIES)
      .map(({ path, expected }) => entryAt({ path, expected, value, fixFor })),
  );
}

/** For a form whose fields are known: the field that another name probably means, or else all of them. */
export function nearestField(fields: readonly string[]): FixFor {
  return (path) => {
    const [name] = path;
    if (path.length !== 1 || typeof name !== "string" || fields.includes(name)) return null;
    const meant = nearestName(name, fields) ?? fieldWithWord(name, fields);
    return meant === null ? listFields(fields) : `did you mean ${meant}?`;
  };
}

/** For a name that is like no field: the fields to choose from. */
export function listFields(fields: readonly string[]): string {
  return fields.length === 1 ? `the only field is ${fields.join()}` : `the fields are ${fields.join(", ")}`;
}

/** The one field that has the name as a word, as `target_id` has `target`; null when several have it. */
function fieldWithWord(name: string, fields: readonly string[]): string | null {
  const [field, ...others] = fields.filter((each) => each.split("_").includes(name.toLowerCase()));
  return field === undefined || others.length > 0 ? null : field;
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly expected: string;
}

function entriesOf(issue: ZodIssue): Fault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .slice(0, MAX_PROBLEM_ENTRIES)
      .map((key) => ({ path: [...issue.path, key], expected: NO_SUCH_FIELD }));
  }
  const { path } = issue;
  const notAnObject = issue.code === "invalid_type" && path.length === 0;
  return [{ path, expected: notAnObject ? "an object" : issue.message.replace(/^expected /, "") }];
}

function entryAt({
  path,
  expected,
  value,
  fixFor,
}: Fault & { readonly value: JsonValue; readonly fixFor: FixFor }): ProblemEntry {
  const found = valueAt(path, value);
  const fix = fixFor(path, found) ?? fixOfName(expected, found);
  const entry = problemEntry(path, expected, found);
  return fix === null ? entry : { ...entry, fix };
}

/** Why a text is not the name that was expected, and what to write; null where something else is amiss. */
export function fixOfName(expected: string, found: JsonValue | undefined): string | null {
  return typeof found === "string" && expected.includes(NAME_EXPECTATION) ? nameFault(found) : null;
}

function valueAt(path: readonly PropertyKey[], value: JsonValue): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<PropertyKey, JsonValue>>)[key];
  }
  return at;
}
