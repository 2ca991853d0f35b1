import { describe, expect, it } from "vitest";
import { jsonSchemaProblem } from "./json-schema-problem.ts";

const PAY = {
  type: "object",
  properties: {
    amount: { type: "integer", minimum: 1, maximum: 100, description: "in EUR" },
    to: { anyOf: [{ type: "string", minLength: 1, maxLength: 3 }, { type: "null" }] },
    kind: { enum: ["card", "bank"] },
    lines: { type: "array", items: { $ref: "#/$defs/line" }, minItems: 1, maxItems: 2 },
  },
  required: ["amount"],
  additionalProperties: false,
  $defs: { line: { type: "object", properties: { sku: { const: "a" } }, additionalProperties: true } },
};

describe("a value against a JSON Schema", () => {
  it.each([
    { amount: 1 },
    { amount: 100, to: "abc", kind: "bank" },
    { amount: 5, to: null, lines: [{ sku: "a", more: 1 }, {}] },
  ])("matches: %j", (value) => {
    expect(jsonSchemaProblem(PAY, value)).toBeNull();
  });

  it.each([
    [{}, "args.amount is missing"],
    [{ amount: "zz" }, "args.amount is not of type integer"],
    [{ amount: 1.5 }, "args.amount is not of type integer"],
    [{ amount: 0 }, "args.amount is out of bounds"],
    [{ amount: 101 }, "args.amount is out of bounds"],
    [{ amount: 1, to: "abcd" }, "args.to matches none of its schemas"],
    [{ amount: 1, kind: "cash" }, "args.kind is not one of the values"],
    [{ amount: 1, lines: [] }, "args.lines has a wrong number of items"],
    [{ amount: 1, lines: [{}, { sku: "b" }] }, "args.lines[1].sku is not one of the values"],
    [{ amount: 1, more: 1 }, "args.more is not expected"],
    [[], "args is not of type object"],
  ])("does not match: %j", (value, problem) => {
    expect(jsonSchemaProblem(PAY, value)).toBe(problem);
  });

  it.each([
    [{ if: true }, "the schema of args uses if, which is not checked here"],
    [{ pattern: "^b" }, "args does not match its pattern"],
    [{ $ref: "https://elsewhere.example/schema" }, "the schema of args is elsewhere"],
    [{ $ref: "#/$defs/missing" }, "the schema of args cannot be read"],
    [{ $ref: "#" }, "the schema of args has too many levels"],
    [{ type: "money" }, "args is not of type money"],
    [{ oneOf: [true, true] }, "args does not match exactly one of its schemas"],
    [{ allOf: [true, false] }, "args is not expected"],
    [null, "the schema of args cannot be read"],
  ])("is refused by a schema that cannot be judged, or that forbids it: %j", (schema, problem) => {
    expect(jsonSchemaProblem(schema, "a")).toBe(problem);
  });
});
