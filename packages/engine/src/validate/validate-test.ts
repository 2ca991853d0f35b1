import { RE2JS } from "re2js";
import type { DetectorName } from "../detectors/detector.ts";
import { type PathBase, parsePathBase } from "../evaluate/path-within.ts";
import { MAX_REGEX_INSTRUCTIONS } from "../evaluate/text-work.ts";
import type { Field, Operator, Scalar, Test } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import {
  expectFilledList,
  expectName,
  expectText,
  type MissingKey,
  missingKey,
  refuse,
  wrongType,
} from "./expect.ts";
import { DETECTOR_LIST } from "./name-lists.ts";
import { expectPlainNumber } from "./numbers.ts";
import { expectUsd } from "./usd.ts";

const MISSING_VALUE: MissingKey = {
  place: "condition",
  key: "value",
  expected: "the value that the operator compares with",
  fix: "add value: and what to compare with, or use the operator exists",
};

/** Most values in the list of one condition, as count. */
const MAX_VALUES = 1_000;

/** Longest text of a pattern in UTF-16 units. */
const MAX_REGEX_LENGTH = 1_000;

export interface TestSource {
  readonly condition: SourceNode;
  readonly value: SourceNode | undefined;
  readonly field: Field;
  readonly operator: Operator;
}

export function validateTest(
  { condition, value, field, operator }: TestSource,
  reporter: Reporter,
): Test | null {
  if (operator === "exists" || operator === "not_exists") return presence(operator, value, reporter);
  if (value === undefined) return missingKey(condition, MISSING_VALUE, reporter);
  switch (operator) {
    case ">":
    case ">=":
    case "<":
    case "<=": {
      const number = expectNumber(value, field, reporter);
      return number === null ? null : { operator, value: number };
    }
    case "==":
    case "!=":
    case "contains": {
      const scalar = expectScalar(value, field, reporter);
      return scalar === null ? null : { operator, value: scalar };
    }
    case "in":
    case "not_in": {
      const values = expectScalars(value, field, reporter);
      return values === null ? null : { operator, values };
    }
    case "starts_with":
    case "ends_with": {
      const text = expectFilledText(value, reporter);
      return text === null ? null : { operator, value: text };
    }
    case "matches": {
      const pattern = expectPattern(value, reporter);
      return pattern === null ? null : { operator, pattern };
    }
    case "detects": {
      const detectors = expectDetectors(value, reporter);
      return detectors === null ? null : { operator, detectors };
    }
    case "path_within": {
      const bases = expectOneOrMore(value, (item) => expectBase(item, reporter), reporter);
      return bases === null ? null : { operator, bases };
    }
  }
}

/** One or more detector names. */
export function expectDetectors(node: SourceNode, reporter: Reporter): readonly DetectorName[] | null {
  return expectOneOrMore(node, (item) => expectName(item, DETECTOR_LIST, reporter), reporter);
}

function presence(
  operator: "exists" | "not_exists",
  value: SourceNode | undefined,
  reporter: Reporter,
): Test | null {
  if (value === undefined) return { operator };
  return refuse("policy/conflicting-keys", value, reporter, {
    message: `${operator} judges presence alone and takes no value`,
    expected: "no key value",
    fix: `remove the key value; to compare with it, write operator: "==" instead of ${operator}`,
  });
}

function expectNumber(node: SourceNode, field: Field, reporter: Reporter): number | null {
  const money = field.kind === "usage" && field.name === "session.cost_usd";
  return money ? expectUsd(node, reporter) : expectPlainNumber(node, reporter);
}

/**
 * A value that the field can be equal to: text for the fields of the call, a number for those of the session.
 */
function expectScalar(node: SourceNode, field: Field, reporter: Reporter): Scalar | null {
  if (field.kind === "usage") return expectNumber(node, field, reporter);
  if (field.kind === "call") return expectText(node, "a text", reporter);
  if (node.kind !== "scalar" || node.value === null)
    return wrongType(node, "a text, a number, true or false", reporter);
  return typeof node.value === "number" ? expectPlainNumber(node, reporter) : node.value;
}

function expectScalars(node: SourceNode, field: Field, reporter: Reporter): readonly Scalar[] | null {
  const list = expectFilledList(node, { expected: "a list of values", most: MAX_VALUES }, reporter);
  if (list === null) return null;
  const values = list.items.map((item) => expectScalar(item, field, reporter));
  if (values.includes(null)) return null;
  const odd = values.findIndex((value) => typeof value !== typeof values[0]);
  const oddNode = list.items[odd];
  if (oddNode === undefined) return values.filter((value) => value !== null);
  return refuse("policy/invalid-value", oddNode, reporter, {
    message: "the values of one list must have one type",
    expected: `a ${typeof values[0]}, like the first`,
    fix: typeof values[0] === "string" ? "put all of them in quotes" : "write all of them without quotes",
  });
}

function expectFilledText(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a text", reporter);
  if (text !== "") return text;
  return refuse("policy/invalid-value", node, reporter, {
    message: "every text begins and ends with the empty text",
    expected: "at least one character",
    fix: "write what the text must begin or end with",
  });
}

function expectPattern(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a regular expression in RE2 syntax", reporter);
  if (text === null) return null;
  const fault = text.length > MAX_REGEX_LENGTH ? "it is too long" : patternFault(text);
  if (fault === null) return text;
  return refuse("policy/invalid-regex", node, reporter, {
    message: `the regular expression cannot be used: ${fault}`,
    expected: "RE2 syntax: no look-around, no back-references, modest repetition",
    fix: fixRegex(text),
  });
}

function fixRegex(pattern: string): string {
  if (/\(\?<?[=!]/.test(pattern))
    return "RE2 has no look-around: write each part as a condition of its own under all, or as another rule";
  if (/\\[1-9]/.test(pattern)) return "RE2 has no back-references: write out what is to be repeated";
  return "close every bracket and shorten repetitions; in single quotes backslashes stay as they are";
}

/** Why the pattern cannot be compiled; null when it can. */
function patternFault(text: string): string | null {
  try {
    const isSmall = RE2JS.compile(text).programSize() <= MAX_REGEX_INSTRUCTIONS;
    return isSmall ? null : "it compiles to too large a program";
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : "unknown reason";
  }
}

function expectBase(node: SourceNode, reporter: Reporter): PathBase | null {
  const text = expectText(node, "a folder", reporter);
  const base = text === null ? null : parsePathBase(text);
  if (text === null || base !== null) return base;
  return refuse("policy/invalid-path", node, reporter, {
    message: `${quoteShort(text)} is not a plain folder`,
    expected:
      "a path such as /srv/data or reports/2026, without .., backslashes, % codes, ~ or a drive letter",
    fix: "write the folder as it is after resolving, with forward slashes, such as /srv/data",
  });
}

function expectOneOrMore<T>(
  node: SourceNode,
  expectOne: (node: SourceNode) => T | null,
  reporter: Reporter,
): readonly T[] | null {
  const items =
    node.kind === "list"
      ? expectFilledList(node, { expected: "at least one value", most: MAX_VALUES }, reporter)?.items
      : [node];
  if (items === undefined) return null;
  const values = items.flatMap((item) => expectOne(item) ?? []);
  return values.length === items.length ? values : null;
}
