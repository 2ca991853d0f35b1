import type { JsonObject } from "@svc/text/json-value";
import { type FieldPath, type FieldPattern, pathsOverlap } from "../evaluate/field-path.ts";
import type { Constraint } from "../policy-document.ts";
import { plainValue } from "../read/plain-value.ts";
import type { Place, Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { textDefinition } from "./definitions.ts";
import { expectFilledList, expectMap, expectMembers } from "./expect.ts";
import { expectFieldPath, expectFieldPattern } from "./expect-field.ts";
import { type JsonSchema, placeSchema, valuesSchema } from "./json-schema.ts";
import { expectPlainNumber, NUMBER_SCHEMA } from "./numbers.ts";
import { MAX_FIELDS } from "./validate-redaction.ts";

interface PlacedPattern {
  readonly path: FieldPattern;
  readonly place: Place;
}

interface PlacedPath extends PlacedPattern {
  readonly path: FieldPath;
}

interface PlacedBound extends PlacedPath {
  readonly bound: number;
}

/** Schema of `validateConstraint`. */
export const CONSTRAINT_SCHEMA: JsonObject = placeSchema("constrain", {
  max: fieldMapSchema(NUMBER_SCHEMA),
  min: fieldMapSchema(NUMBER_SCHEMA),
  set: fieldMapSchema(true),
  remove: valuesSchema(textDefinition("field_pattern"), MAX_FIELDS),
});

function fieldMapSchema(values: JsonSchema): JsonObject {
  return {
    type: "object",
    propertyNames: textDefinition("field_path"),
    additionalProperties: values,
    minProperties: 1,
    maxProperties: MAX_FIELDS,
  };
}

export function validateConstraint(node: SourceNode, reporter: Reporter): Constraint | null {
  const members = expectMembers(node, "constrain", reporter);
  if (members === null) return null;
  const max = bounds(members.get("max"), reporter);
  const min = bounds(members.get("min"), reporter);
  const set = fieldMap(members.get("set"), reporter).map(({ path, place, value }) => {
    reportInexact(value, reporter);
    return { path, place, value: plainValue(value) };
  });
  const remove = removals(members.get("remove"), reporter);
  reportOverlaps({ max, min, rewrites: [...set, ...remove] }, reporter);
  return {
    kind: "constrain",
    remove: remove.map(({ path }) => path),
    set: set.map(({ path, value }) => ({ path, value })),
    min: min.map(unplaced),
    max: max.map(unplaced),
  };
}

function unplaced({ path, bound }: PlacedBound): Constraint["min"][number] {
  return { path, bound };
}

function bounds(node: SourceNode | undefined, reporter: Reporter): PlacedBound[] {
  return fieldMap(node, reporter).flatMap(({ path, place, value }) => {
    const bound = expectPlainNumber(value, reporter);
    return bound === null ? [] : [{ path, place, bound }];
  });
}

function removals(node: SourceNode | undefined, reporter: Reporter): PlacedPattern[] {
  if (node === undefined) return [];
  const list = expectFilledList(node, { expected: "a list of arguments", most: MAX_FIELDS }, reporter);
  return (list?.items ?? []).flatMap((item) => {
    const path = expectFieldPattern(item, reporter);
    return path === null ? [] : [{ path, place: item }];
  });
}

function fieldMap(
  node: SourceNode | undefined,
  reporter: Reporter,
): (PlacedPath & { readonly value: SourceNode })[] {
  const map = node === undefined ? null : expectMap(node, "a mapping of arguments to values", reporter);
  if (map !== null && map.entries.length > MAX_FIELDS) {
    reporter.report("policy/too-many", map, {
      message: "the mapping is too long",
      expected: `at most ${String(MAX_FIELDS)} entries`,
      found: `${String(map.entries.length)} entries`,
      fix: "make two rules",
    });
    return [];
  }
  return (map?.entries ?? []).flatMap(({ key, keyOffset, value }) => {
    const place = { pointer: value.pointer, offset: keyOffset };
    const path = expectFieldPath({ kind: "scalar", value: key, text: key, ...place }, reporter);
    return path === null ? [] : [{ path, place, value }];
  });
}

/** A value to be set must reach the tool with every digit that was written. */
function reportInexact(node: SourceNode, reporter: Reporter): void {
  if (node.kind === "list") for (const item of node.items) reportInexact(item, reporter);
  else if (node.kind === "map") for (const { value } of node.entries) reportInexact(value, reporter);
  else if (typeof node.value === "number") expectPlainNumber(node, reporter);
}

/** One field may have both bounds; any other two rewrites of one rule must not meet. */
function reportOverlaps(
  { max, min, rewrites }: { max: PlacedBound[]; min: PlacedBound[]; rewrites: PlacedPattern[] },
  reporter: Reporter,
): void {
  const all = [...rewrites, ...max, ...min];
  for (const [at, one] of all.entries()) {
    for (const other of all.slice(at + 1)) {
      if (pathsOverlap(one.path, other.path) && !areBoundsOfOne(one, other, { max, min })) {
        reportOverlap(other, one, reporter);
      }
    }
  }
}

function areBoundsOfOne(
  one: PlacedPattern,
  other: PlacedPattern,
  { max, min }: { readonly max: readonly PlacedBound[]; readonly min: readonly PlacedBound[] },
): boolean {
  if (one.path.text !== other.path.text) return false;
  const upper = max.find((bound) => bound === one);
  const lower = min.find((bound) => bound === other);
  return upper !== undefined && lower !== undefined && lower.bound <= upper.bound;
}

function reportOverlap(later: PlacedPattern, earlier: PlacedPattern, reporter: Reporter): void {
  const one = later.path.text;
  const isBounds = "bound" in earlier && "bound" in later;
  reporter.report("policy/overlapping-fields", later.place, {
    message: isBounds
      ? `the min of ${one} is above its max`
      : `this rule rewrites ${one} twice: it also rewrites ${earlier.path.text}`,
    expected: "fields apart from each other, or one field with a min that is not above its max",
    found: isBounds ? "a min above the max" : `${earlier.path.text} and ${one}`,
    fix: isBounds
      ? `write a min of ${one} that is at most its max`
      : `remove the entry that should not apply, or make a second rule for ${one}`,
    related: earlier.place,
  });
}
