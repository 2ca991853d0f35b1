import type { Test } from "@svc/engine/condition";
import type { Scalar } from "@svc/engine/expect-value";
import { type BLOCKED, MISSING } from "@svc/engine/field-path";
import { type PathOperand, shownBase } from "@svc/engine/operators/path-within";
import type { PathBase } from "@svc/engine/path-within";
import { REMOVED } from "@svc/engine/set-at";
import type { JsonValue } from "@svc/text/json-value";

/** A value that makes one condition hold, or keeps it from holding. */
export interface ArgumentChange {
  readonly to: JsonValue | typeof REMOVED;
  /** What the argument must be, such as `args.amount <= 500`. */
  readonly requirement: string;
  /** How far the change goes: the relative distance of two numbers, else at least 1. */
  readonly distance: number;
}

/** What a condition finds at its path. */
export type FoundArgument = JsonValue | typeof MISSING | typeof BLOCKED;

interface Asked {
  readonly path: string;
  readonly found: FoundArgument;
  /** Whether the condition is to hold. */
  readonly holds: boolean;
}

/**
 * Values to try, in no order. Whether one of them changes a decision only an evaluation can say: a list is
 * too short to hold every value, and another rule may decide then.
 */
export function changesOf(test: Test, asked: Asked): readonly ArgumentChange[] {
  const known = knownTest(test);
  switch (known?.operator) {
    case ">":
    case ">=":
    case "<":
    case "<=":
      return boundChanges(known, asked);
    case "==":
    case "!=":
      return equalityChanges(known, asked);
    case "in":
    case "not_in":
      return membershipChanges(known, asked);
    case "exists":
    case "not_exists":
      return presenceChanges(known.operator === "exists", asked);
    case "contains":
    case "starts_with":
    case "ends_with":
    case "matches":
    case "detects":
    case "path_within":
      return textChanges(known, asked);
    case undefined:
      return [];
  }
}

/** The tests for which values to try are known, with their operands. */
type KnownTest =
  | { readonly operator: ">" | ">=" | "<" | "<="; readonly value: number }
  | { readonly operator: "==" | "!="; readonly value: Scalar }
  | { readonly operator: "in" | "not_in"; readonly values: readonly Scalar[] }
  | { readonly operator: "exists" | "not_exists" }
  | { readonly operator: "contains" | "starts_with" | "ends_with"; readonly values: readonly Scalar[] }
  | { readonly operator: "matches" | "detects"; readonly names: readonly string[] }
  | { readonly operator: "path_within"; readonly bases: readonly PathBase[] };

/** The operand has the type that the definition of the operator made it of; see its file. */
function knownTest({ operator, operand }: Test): KnownTest | null {
  switch (operator) {
    case ">":
    case ">=":
    case "<":
    case "<=":
      return { operator, value: operand as number };
    case "==":
    case "!=":
      return { operator, value: operand as Scalar };
    case "in":
    case "not_in":
    case "contains":
    case "starts_with":
    case "ends_with":
      return { operator, values: operand as readonly Scalar[] };
    case "exists":
    case "not_exists":
      return { operator };
    case "matches":
    case "detects":
      return { operator, names: operand as readonly string[] };
    case "path_within":
      return { operator, bases: (operand as PathOperand).bases };
    default:
      return null;
  }
}

const NEGATED = { ">": "<=", ">=": "<", "<": ">=", "<=": ">" } as const;

function boundChanges(
  { operator, value }: Extract<KnownTest, { readonly operator: keyof typeof NEGATED }>,
  { path, found, holds }: Asked,
): readonly ArgumentChange[] {
  const wanted = holds ? operator : NEGATED[operator];
  const to = meeting(wanted, value);
  return [{ to, requirement: `${path} ${wanted} ${String(value)}`, distance: distanceOf(found, to) }];
}

function meeting(operator: keyof typeof NEGATED, bound: number): number {
  if (operator === ">") return above(bound);
  return operator === "<" ? below(bound) : bound;
}

/** The next whole number, or for a fraction one of the same number of decimals. */
function above(value: number): number {
  return Number.isSafeInteger(value) ? value + 1 : value + lastDecimal(value);
}

function below(value: number): number {
  return Number.isSafeInteger(value) ? value - 1 : value - lastDecimal(value);
}

function lastDecimal(value: number): number {
  const decimals = /\.([0-9]+)$/.exec(String(value))?.[1]?.length ?? 0;
  return decimals === 0 ? Math.abs(value) * Number.EPSILON : 10 ** -decimals;
}

function distanceOf(found: FoundArgument, to: number): number {
  return typeof found === "number" ? Math.min(1, Math.abs(found - to) / Math.max(1, Math.abs(found))) : 1;
}

function equalityChanges(
  { operator, value }: Extract<KnownTest, { readonly operator: "==" | "!=" }>,
  { path, found, holds }: Asked,
): readonly ArgumentChange[] {
  const isEqual = (operator === "==") === holds;
  const to = isEqual ? value : otherThan([value]);
  const requirement = `${path} ${isEqual ? "==" : "!="} ${JSON.stringify(value)}`;
  return [{ to, requirement, distance: typeof to === "number" ? distanceOf(found, to) : 1 }];
}

function membershipChanges(
  { operator, values }: Extract<KnownTest, { readonly operator: "in" | "not_in" }>,
  { path, found, holds }: Asked,
): readonly ArgumentChange[] {
  const isMember = (operator === "in") === holds;
  const to = isMember ? nearestOf(values, found) : otherThan(values);
  const requirement = `${path} ${isMember ? "in" : "not_in"} ${JSON.stringify(values)}`;
  return [{ to, requirement, distance: 1 }];
}

function nearestOf(values: readonly Scalar[], found: FoundArgument): Scalar {
  const [first = ""] = values;
  if (typeof found !== "number") return first;
  const far = (value: Scalar) =>
    typeof value === "number" ? Math.abs(value - found) : Number.POSITIVE_INFINITY;
  return values.reduce((best, value) => (far(value) < far(best) ? value : best), first);
}

/** A value of the same type that is none of these. */
function otherThan(values: readonly Scalar[]): Scalar {
  const [first] = values;
  if (typeof first === "boolean") return !first;
  if (typeof first === "number") return Math.max(...values.map(Number)) + 1;
  // Longer than each of them.
  return `${values.map(String).join("")}_`;
}

function presenceChanges(isPresence: boolean, { path, found, holds }: Asked): readonly ArgumentChange[] {
  if (isPresence !== holds) return [{ to: REMOVED, requirement: `${path} not_exists`, distance: 1 }];
  return found === MISSING ? [{ to: "", requirement: `${path} exists`, distance: 1 }] : [];
}

type TextTest = Extract<
  KnownTest,
  { readonly operator: "contains" | "starts_with" | "ends_with" | "matches" | "detects" | "path_within" }
>;

function textChanges(test: TextTest, { path, found, holds }: Asked): readonly ArgumentChange[] {
  const expected = expectationOf(test);
  if (holds) {
    const to = exampleOf(test);
    return to === null ? [] : [{ to, requirement: `${path} ${test.operator} ${expected}`, distance: 2 }];
  }
  const requirement = `not (${path} ${test.operator} ${expected})`;
  const without = withoutPart(test, found);
  const tried = without === null || without === found ? [""] : [without, ""];
  return tried.map((to, at) => ({ to, requirement, distance: 1 + at }));
}

function expectationOf(test: TextTest): string {
  switch (test.operator) {
    case "contains":
    case "starts_with":
    case "ends_with":
      return JSON.stringify(oneOrAll(test.values));
    case "matches":
      return JSON.stringify(oneOrAll(test.names));
    case "detects":
      return JSON.stringify(test.names);
    case "path_within":
      return JSON.stringify(test.bases.map(shownBase));
  }
}

function oneOrAll(values: readonly Scalar[]): JsonValue {
  const [only = null, more] = values;
  return more === undefined ? only : values;
}

/** A text that meets the test; null where none is known. */
function exampleOf(test: TextTest): JsonValue | null {
  switch (test.operator) {
    case "contains": {
      const [value = ""] = test.values;
      return typeof value === "string" ? value : [value];
    }
    case "starts_with":
    case "ends_with":
      return test.values[0] ?? null;
    case "path_within": {
      const [base] = test.bases;
      return base === undefined ? null : shownBase(base);
    }
    case "matches":
    case "detects":
      return null;
  }
}

/** The value without what the test finds in it; null where that is not known. */
function withoutPart(test: TextTest, found: FoundArgument): JsonValue | null {
  if (test.operator !== "contains" && test.operator !== "starts_with" && test.operator !== "ends_with")
    return null;
  const { values } = test;
  if (Array.isArray(found))
    return (found as readonly JsonValue[]).filter((item) => !values.some((value) => value === item));
  const texts = values.filter((value) => typeof value === "string" && value !== "");
  if (typeof found !== "string" || texts.length < values.length) return null;
  return texts.reduce<string>((rest, text) => rest.split(String(text)).join(""), found);
}
