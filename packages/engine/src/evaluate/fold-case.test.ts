import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";

/** Texts that some tools take for the wanted one, and others do not. */
const DOUBTFUL: readonly (readonly [wanted: string, found: string])[] = [
  ["strasse", "stra\u00dfe"],
  ["strasse", "STRA\u1e9eE"],
  ["stra\u00dfe", "STRA\u1e9eE"],
  ["file", "F\u0130LE"],
  ["file", "f\u0131le"],
  ["FILE", "f\u0131le"],
  ["file", "\ufb01le"],
  ["kelvin", "\u212aelvin"],
  ["test", "te\u017ft"],
];

const SURE: readonly (readonly [wanted: string, found: string, holds: boolean])[] = [
  ["file", "FILE", true],
  ["file", "other", false],
  ["file", "\u00dcber", false],
];

const OPERATORS = ["==", "in", "starts_with", "ends_with", "contains", "matches", "matches_all"];

function decisionOf(match: JsonObject, action: "allow" | "deny", x: string): string {
  const rules = [{ id: "r", match, action }];
  const policy = action === "allow" ? { id: "p", rules } : { id: "p", tools: { allowed: ["*"] }, rules };
  return compiled(policy).evaluate(callOf("t", { x })).decision;
}

describe.each(OPERATORS)("%s without regard to case", (operator) => {
  const conditionOf = (wanted: string): JsonObject => ({
    field: "args.x",
    operator,
    value: operator === "in" ? [wanted] : wanted,
    ignore_case: true,
  });

  // proves POL-54
  it.each(DOUBTFUL)("makes no claim whether %s is %s", (wanted, found) => {
    const condition = conditionOf(wanted);
    expect(decisionOf({ condition }, "deny", found)).toBe("deny");
    expect(decisionOf({ not: condition }, "deny", found)).toBe("deny");
    expect(decisionOf({ condition }, "allow", found)).toBe("deny");
    expect(decisionOf({ not: condition }, "allow", found)).toBe("deny");
  });

  it.each(SURE)("reads %s in %s: %s", (wanted, found, holds) => {
    expect(decisionOf({ condition: conditionOf(wanted) }, "allow", found)).toBe(holds ? "allow" : "deny");
    expect(decisionOf({ condition: conditionOf(wanted) }, "deny", found)).toBe(holds ? "deny" : "allow");
  });
});
