import type { JsonObject } from "@svc/text/json-value";
import type { Subject } from "../condition.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectFilledList, expectText, refuse, wrongType } from "./expect.ts";
import { valuesSchema } from "./json-schema.ts";
import { expectInteger, expectPlainNumber, integerSchema, NUMBER_SCHEMA } from "./numbers.ts";
import { expectUsd, USD_SCHEMA } from "./usd.ts";

/** What values of conditions are made of. */
export type Scalar = string | number | boolean;

/** Most values in the list of one condition, as count. */
export const MAX_VALUES = 1_000;

const TEXT_SCHEMA: JsonObject = { type: "string" };
export const FILLED_TEXT_SCHEMA: JsonObject = { type: "string", minLength: 1 };

/** What a field is compared with, as far as schemas tell fields apart. */
export type Compared = "anything" | "text" | "number" | "usd" | "count";

/** What a list of the policy holds. */
export const LIST_VALUE_SCHEMAS: readonly JsonObject[] = [TEXT_SCHEMA, NUMBER_SCHEMA, { type: "boolean" }];

/** Schema of `expectNumber`. */
export function numberSchema(compared: Compared): JsonObject {
  if (compared === "count") return COUNT_SCHEMA;
  return compared === "usd" ? USD_SCHEMA : NUMBER_SCHEMA;
}

/** Schema of `expectScalar`. */
export function scalarSchema(compared: Compared): JsonObject {
  switch (compared) {
    case "anything":
      return { anyOf: LIST_VALUE_SCHEMAS };
    case "text":
      return TEXT_SCHEMA;
    case "number":
    case "usd":
    case "count":
      return numberSchema(compared);
  }
}

/** Schema of `expectScalars`. */
export function scalarsSchema(compared: Compared): JsonObject {
  if (compared !== "anything") return valuesSchema(scalarSchema(compared), MAX_VALUES);
  return { anyOf: LIST_VALUE_SCHEMAS.map((type) => valuesSchema(type, MAX_VALUES)) };
}

/** Schema of `expectOneOrMore`. */
export function oneOrMoreSchema(item: JsonObject, most: number = MAX_VALUES): JsonObject {
  return { anyOf: [item, valuesSchema(item, most)] };
}

/** Bounds of a number of elements. */
const COUNTS = { min: 0, max: Number.MAX_SAFE_INTEGER } as const;
const COUNT_SCHEMA = integerSchema(COUNTS.min, COUNTS.max);

/**
 * A number that the field can be compared with: micro-USD where the field is an amount of money, a whole
 * number where it is one of elements.
 */
export function expectNumber(node: SourceNode, subject: Subject, reporter: Reporter): number | null {
  if (isCount(subject)) return expectInteger(node, COUNTS, reporter);
  const money = subject.kind === "usage" && subject.name === "session.cost_usd";
  return money ? expectUsd(node, reporter) : expectPlainNumber(node, reporter);
}

function isCount(subject: Subject): boolean {
  return subject.kind === "elements" && subject.quantifier === "count";
}

/**
 * A value that the field can be equal to: text for the fields of the call, a number for those of the session.
 */
export function expectScalar(node: SourceNode, subject: Subject, reporter: Reporter): Scalar | null {
  if (subject.kind === "usage" || isCount(subject)) return expectNumber(node, subject, reporter);
  if (subject.kind === "call") return expectText(node, "a text", reporter);
  if (node.kind !== "scalar" || node.value === null)
    return wrongType(node, "a text, a number, true or false", reporter);
  return typeof node.value === "number" ? expectPlainNumber(node, reporter) : node.value;
}

/** At least one value, all of one type. */
export function expectScalars(
  node: SourceNode,
  subject: Subject,
  reporter: Reporter,
): readonly Scalar[] | null {
  const list = expectFilledList(node, { expected: "a list of values", most: MAX_VALUES }, reporter);
  if (list === null) return null;
  const values = list.items.map((item) => expectScalar(item, subject, reporter));
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

export function expectFilledText(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a text", reporter);
  if (text !== "") return text;
  return refuse("policy/invalid-value", node, reporter, {
    message: "every text begins and ends with the empty text",
    expected: "at least one character",
    fix: "write what the text must begin or end with",
  });
}

/** One value, or a list of at least one. */
export function expectOneOrMore<T>(
  node: SourceNode,
  expectOne: (node: SourceNode) => T | null,
  reporter: Reporter,
  most: number = MAX_VALUES,
): readonly T[] | null {
  const items =
    node.kind === "list"
      ? expectFilledList(node, { expected: "at least one value", most }, reporter)?.items
      : [node];
  if (items === undefined) return null;
  const values = items.flatMap((item) => expectOne(item) ?? []);
  return values.length === items.length ? values : null;
}
