import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseFieldPath } from "./field-path.ts";
import { MEMBER_WEIGHT, type TextWork, VALUE_WEIGHT } from "./text-work.ts";
import type { Truth } from "./truth.ts";

/** @returns null when the text is not one name as paths have it, in double quotes or without. */
export function parseMemberName(text: string): string | null {
  const [only, ...others] = parseFieldPath(`args.${text}`)?.segments ?? [];
  return only === undefined || others.length > 0 ? null : only.name;
}

/** Members of an object that are not among the names. Null: the value is not an object. */
export function otherNames(value: JsonValue, names: ReadonlySet<string>): readonly string[] | null {
  return isJsonObject(value) ? Object.keys(value).filter((name) => !names.has(name)) : null;
}

/**
 * Whether an object has no members beside those that are named. Names are compared exactly: a tool that
 * ignores case gets a name that is not listed. Some tools take what stands below one other name for the
 * object itself (`{"input": {...}}`), so an object whose other members hold one that would do is unsure.
 */
export function namesOnly(value: JsonValue, names: ReadonlySet<string>, work: TextWork): Truth {
  return isJsonObject(value) ? judgeObject(value, names, work) : "unsure";
}

function judgeObject(object: JsonObject, names: ReadonlySet<string>, work: TextWork): Truth {
  if (!work.spend(1, VALUE_WEIGHT)) return "unread";
  const others: JsonValue[] = [];
  for (const name of Object.keys(object)) {
    if (!work.spend(1, MEMBER_WEIGHT)) return "unread";
    if (!names.has(name)) others.push(object[name] ?? null);
  }
  return others.length === 0 ? "holds" : anyStandsFor(others, names, work);
}

/** `fails`: none of the values can be taken for an object that has the names alone. */
function anyStandsFor(values: readonly JsonValue[], names: ReadonlySet<string>, work: TextWork): Truth {
  let any: Truth = "fails";
  for (const value of values) {
    const truth = standsFor(value, names, work);
    if (truth === "unread") return "unread";
    if (truth !== "fails") any = "unsure";
  }
  return any;
}

/** A text that begins as an object does in JSON. */
const OBJECT_AS_TEXT = /^\s*\{/;

function standsFor(value: JsonValue, names: ReadonlySet<string>, work: TextWork): Truth {
  if (!work.spend(1, VALUE_WEIGHT)) return "unread";
  if (typeof value === "string") return OBJECT_AS_TEXT.test(value) ? "unsure" : "fails";
  if (typeof value !== "object" || value === null) return "fails";
  return isJsonObject(value) ? judgeObject(value, names, work) : anyStandsFor(value, names, work);
}
