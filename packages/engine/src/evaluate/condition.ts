import { isJsonObject, type JsonValue } from "@svc/contract/json-value";
import { detects } from "../detectors/detect.ts";
import type { DetectorName } from "../detectors/detector.ts";
import type { GovernedCall } from "../evaluation.ts";
import type { Condition, Field, Scalar, Test } from "../policy-document.ts";
import { BLOCKED, type FieldPath, MISSING, valueAt } from "./field-path.ts";
import { pathWithin, type Within } from "./path-within.ts";

/**
 * What a condition says of a call. `unsure`: the field is there, but of a type or form that cannot be judged.
 * Only `holds` and `fails` are claims; what the others mean depends on whether the rule restricts or permits.
 */
export type Truth = "holds" | "fails" | "missing" | "unsure";

export type CompiledCondition = (call: GovernedCall) => Truth;

type Found = JsonValue | typeof MISSING | typeof BLOCKED;

export function compileCondition({ field, test }: Condition): CompiledCondition {
  const read = compileField(field);
  const judge = compileTest(test);
  switch (test.operator) {
    case "exists":
      return (call) => truthOf(isPresent(read(call)));
    case "not_exists":
      return (call) => truthOf(!isPresent(read(call)));
    default:
      return (call) => {
        const found = read(call);
        if (found === MISSING) return "missing";
        return found === BLOCKED ? "unsure" : judge(found);
      };
  }
}

function compileField(field: Field): (call: GovernedCall) => Found {
  switch (field.kind) {
    case "args": {
      const path: FieldPath = field.path;
      return (call) => valueAt(call.args, path);
    }
    case "call":
      return compileCallField(field.name);
    case "usage":
      return field.name === "session.steps"
        ? (call) => usageOf(call).steps
        : (call) => usageOf(call).costMicroUsd;
  }
}

function compileCallField(name: (Field & { kind: "call" })["name"]): (call: GovernedCall) => Found {
  switch (name) {
    case "agent_id":
      return (call) => call.agentId;
    case "session_id":
      return (call) => call.sessionId ?? MISSING;
    case "namespace":
      return (call) => call.namespace;
    case "tool":
      return (call) => call.tool;
  }
}

/** A caller that does not supply what `readsUsage` asks for has a defect; guessing zero would be an allow. */
function usageOf(call: GovernedCall): { readonly steps: number; readonly costMicroUsd: number } {
  if (call.usage === null) throw new Error("the policy reads the session's usage, and none was supplied");
  return call.usage;
}

function compileTest(test: Test): (value: JsonValue) => Truth {
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
      return (value) => (typeof value === "string" ? truthOf(test.regex.test(value)) : "unsure");
    case "detects":
      return (value) => judgeDetects(value, test.detectors);
    case "path_within":
      return (value) => (typeof value === "string" ? WITHIN[pathWithin(value, test.bases)] : "unsure");
    case "exists":
    case "not_exists":
      return () => "unsure";
  }
}

const WITHIN: { readonly [within in Within]: Truth } = {
  inside: "holds",
  outside: "fails",
  unsure: "unsure",
};

/** All members of the set have one type; a value of another is not judged. */
function compileMembership(
  values: readonly Scalar[],
  member: Truth,
  other: Truth,
): (value: JsonValue) => Truth {
  const set: ReadonlySet<JsonValue> = new Set<JsonValue>(values);
  const type = typeof values[0];
  return (value) => {
    if (typeof value !== type) return "unsure";
    return set.has(value) ? member : other;
  };
}

/** Part of a text, or member of a list; a list that mixes types is judged only by what it surely holds. */
function compileContains(wanted: Scalar): (value: JsonValue) => Truth {
  return (value) => {
    if (typeof value === "string" && typeof wanted === "string") return truthOf(value.includes(wanted));
    if (!Array.isArray(value)) return "unsure";
    const items = value as readonly JsonValue[];
    if (items.includes(wanted)) return "holds";
    return items.every((item) => typeof item === typeof wanted) ? "fails" : "unsure";
  };
}

/** Looks into every text and number below the value, names of members included. */
function judgeDetects(value: JsonValue, detectors: readonly DetectorName[]): Truth {
  return typeof value === "boolean" || value === null ? "unsure" : truthOf(detectsWithin(value, detectors));
}

function detectsWithin(value: JsonValue, detectors: readonly DetectorName[]): boolean {
  if (typeof value === "string") return detects(value, detectors);
  if (typeof value === "number") return detects(String(value), detectors);
  if (Array.isArray(value)) return value.some((item: JsonValue) => detectsWithin(item, detectors));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => detects(name, detectors) || detectsWithin(member, detectors),
  );
}

function isPresent(found: Found): boolean {
  return found !== MISSING && found !== BLOCKED;
}

function truthOf(holds: boolean): Truth {
  return holds ? "holds" : "fails";
}
