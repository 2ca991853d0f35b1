import { expect, it } from "vitest";
import { type ExpectedDecisions, isExpectedDecisions, meetsDecision } from "./expected-decision.ts";
import { DECISIONS } from "./verdict.ts";

// proves CLI-99
it.each<[ExpectedDecisions, string]>([
  ["allow", "allow"],
  ["not_allow", "deny pause"],
  [["deny", "pause"], "deny pause"],
  [["allow", "pause"], "allow pause"],
  [["not_allow", "allow"], "allow deny pause"],
])("%j is met by %s alone", (expected, met) => {
  expect(isExpectedDecisions(expected)).toBe(true);
  expect(
    DECISIONS.filter((decision) => meetsDecision(expected, decision))
      .toSorted()
      .join(" "),
  ).toBe(met);
});

it.each([[[]], ["no"], [["deny", "no"]], [null], [[["deny"]]]])("%j cannot be expected", (value) => {
  expect(isExpectedDecisions(value)).toBe(false);
});
