import type { JsonObject } from "@svc/text/json-value";
import type { Reporter } from "../read/reporter.ts";
import type { ScalarNode, SourceNode } from "../read/source-node.ts";
import { refuse, wrongType } from "./expect.ts";

/** Significant decimal digits that survive the reading of any number as binary floating point. */
const SAFE_DIGITS = 15;

export const NUMBER_EXPECTATION =
  "a decimal number: a whole one up to 9007199254740991, any other with at most 15 significant digits";

/** What a schema can say of it: not which digits were written. */
export const NUMBER_SCHEMA: JsonObject = integerLimits(
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
  "number",
);

export function integerSchema(min: number, max: number): JsonObject {
  return integerLimits(min, max, "integer");
}

function integerLimits(minimum: number, maximum: number, type: "integer" | "number"): JsonObject {
  return { type, minimum, maximum };
}

/** Whether a number means exactly what is written: no infinity, no digits that reading would drop. */
export function isPlainNumber({ value, text }: ScalarNode): boolean {
  return typeof value === "number" && isExact(value, text);
}

export function expectPlainNumber(node: SourceNode, reporter: Reporter): number | null {
  if (node.kind !== "scalar" || typeof node.value !== "number") return wrongType(node, "a number", reporter);
  if (isPlainNumber(node)) return node.value;
  return refuse("policy/invalid-number", node, reporter, {
    message: "this number cannot be compared exactly",
    expected: NUMBER_EXPECTATION,
    fix: "write the nearest number with at most 15 digits",
  });
}

export function expectInteger(
  node: SourceNode,
  { min, max }: { readonly min: number; readonly max: number },
  reporter: Reporter,
): number | null {
  const number = expectPlainNumber(node, reporter);
  if (number === null || (Number.isSafeInteger(number) && number >= min && number <= max)) return number;
  return refuse("policy/invalid-number", node, reporter, {
    message: "the number is out of range",
    expected: `a whole number from ${String(min)} to ${String(max)}`,
    fix: `write a whole number from ${String(min)} to ${String(max)}`,
  });
}

function isExact(value: number, text: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value)) return Number.isSafeInteger(value) && !/[.][0-9]*[1-9]/.test(text);
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[^0-9]/g, "")
    .replace(/^0+/, "");
  return digits.length <= SAFE_DIGITS;
}
