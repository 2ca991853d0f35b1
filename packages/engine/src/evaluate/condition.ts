import { isJsonObject, type JsonValue } from "@svc/contract/json-value";
import { detects } from "../detectors/detect.ts";
import type { DetectorName } from "../detectors/detector.ts";
import type { GovernedCall } from "../evaluation.ts";
import type { Condition, Scalar, Test } from "../policy-document.ts";
import { BLOCKED, MISSING } from "./field-path.ts";
import { type PathBase, pathWithin, type Within } from "./path-within.ts";
import type { PatternSet } from "./pattern-set.ts";
import { compileField, compilePresence } from "./read-field.ts";
import { FIND_WEIGHT, PATH_WEIGHT, spendOnDetectors, type TextWork } from "./text-work.ts";

/**
 * What a condition says of a call. `unsure`: the field is there, but of a type or form that cannot be judged.
 * `unread`: the field was not searched, because the call's texts need more work than one call may take.
 * Only `holds` and `fails` are claims; what the others mean depends on whether the rule restricts or permits.
 */
export type Truth = "holds" | "fails" | "missing" | "unsure" | "unread";

/** Takes what it searches from `work`. */
export type CompiledCondition = (call: GovernedCall, work: TextWork) => Truth;

type Judge = (value: JsonValue, work: TextWork) => Truth;

export function compileCondition({ field, test }: Condition, patterns: PatternSet): CompiledCondition {
  if (test.operator === "exists") return compilePresence(field);
  if (test.operator === "not_exists") {
    const presence = compilePresence(field);
    return (call) => ABSENCE[presence(call)];
  }
  const read = compileField(field);
  const judge = compileTest(test, patterns);
  return (call, work) => {
    const found = read(call);
    if (found === MISSING) return "missing";
    return found === BLOCKED ? "unsure" : judge(found, work);
  };
}

const ABSENCE = { holds: "fails", fails: "holds", unsure: "unsure" } as const;

function compileTest(test: Test, patterns: PatternSet): Judge {
  switch (test.operator) {
    case ">":
      return (value) => (typeof value === "number" ? truthOf(value > test.value) : "unsure");
    case ">=":
      return (value) => (typeof value === "number" ? truthOf(value >= test.value) : "unsure");
    case "<":
      return (value) => (typeof value === "number" ? truthOf(value < test.value) : "unsure");
    case "<=":
      return (value) => (typeof value === "number" ? truthOf(value <= test.value) : "unsure");
    case "==":
      return (value) => (typeof value === typeof test.value ? truthOf(value === test.value) : "unsure");
    case "!=":
      return (value) => (typeof value === typeof test.value ? truthOf(value !== test.value) : "unsure");
    case "in":
      return compileMembership(test.values, "holds", "fails");
    case "not_in":
      return compileMembership(test.values, "fails", "holds");
    case "contains":
      return compileContains(test.value);
    case "starts_with":
      return (value) => (typeof value === "string" ? truthOf(value.startsWith(test.value)) : "unsure");
    case "ends_with":
      return (value) => (typeof value === "string" ? truthOf(value.endsWith(test.value)) : "unsure");
    case "matches":
      return compileMatches(test.pattern, patterns);
    case "detects":
      return (value, work) => judgeDetects(value, test.detectors, work);
    case "path_within":
      return compilePathWithin(test.bases);
    case "exists":
    case "not_exists":
      return () => "unsure";
  }
}

/** All members of the set have one type; a value of another is not judged. */
function compileMembership(values: readonly Scalar[], member: Truth, other: Truth): Judge {
  const set: ReadonlySet<JsonValue> = new Set<JsonValue>(values);
  const type = typeof values[0];
  return (value) => {
    if (typeof value !== type) return "unsure";
    return set.has(value) ? member : other;
  };
}

/**
 * Part of a text, or member of a list. A list that mixes types, or in which a longer text has the wanted
 * one as a part, is not judged: many tools join the members of a list.
 */
function compileContains(wanted: Scalar): Judge {
  return (value, work) => {
    if (typeof value === "string") return containsPart(value, wanted, work);
    if (!Array.isArray(value)) return "unsure";
    const items = value as readonly JsonValue[];
    if (items.includes(wanted)) return "holds";
    for (const item of items) {
      if (typeof item !== typeof wanted) return "unsure";
      if (typeof item !== "string") continue;
      const part = containsPart(item, wanted, work);
      if (part !== "fails") return part === "holds" ? "unsure" : part;
    }
    return "fails";
  };
}

function containsPart(text: string, wanted: Scalar, work: TextWork): Truth {
  if (typeof wanted !== "string") return "unsure";
  return work.spend(text.length, FIND_WEIGHT) ? truthOf(text.includes(wanted)) : "unread";
}

function compileMatches(pattern: string, patterns: PatternSet): Judge {
  const regex = patterns.compiled(pattern);
  const weight = regex.programSize();
  return (value, work) => {
    if (typeof value !== "string") return "unsure";
    return work.spend(value.length, weight) ? truthOf(regex.test(value)) : "unread";
  };
}

function compilePathWithin(bases: readonly PathBase[]): Judge {
  const weight = PATH_WEIGHT * bases.length;
  return (value, work) => {
    if (typeof value !== "string") return "unsure";
    return work.spend(value.length, weight) ? WITHIN[pathWithin(value, bases)] : "unread";
  };
}

const WITHIN: { readonly [within in Within]: Truth } = {
  inside: "holds",
  outside: "fails",
  unsure: "unsure",
};

/** Looks into every text and number below the value, names of members included. */
function judgeDetects(value: JsonValue, detectors: readonly DetectorName[], work: TextWork): Truth {
  return typeof value === "boolean" || value === null ? "unsure" : judgeWithin(value, detectors, work);
}

function judgeWithin(value: JsonValue, detectors: readonly DetectorName[], work: TextWork): Truth {
  if (typeof value === "string") return judgeText(value, detectors, work);
  if (typeof value === "number") return judgeText(String(value), detectors, work);
  if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const found = judgeText(name, detectors, work);
      const truth = found === "fails" ? judgeWithin(member, detectors, work) : found;
      if (truth !== "fails") return truth;
    }
  } else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      const truth = judgeWithin(item, detectors, work);
      if (truth !== "fails") return truth;
    }
  }
  return "fails";
}

function judgeText(text: string, detectors: readonly DetectorName[], work: TextWork): Truth {
  return spendOnDetectors(text, detectors, work) ? truthOf(detects(text, detectors)) : "unread";
}

function truthOf(holds: boolean): Truth {
  return holds ? "holds" : "fails";
}
