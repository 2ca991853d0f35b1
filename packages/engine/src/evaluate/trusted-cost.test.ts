import { expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";

const policy = compiled({
  id: "p",
  tools: { allowed: ["*"] },
  cost: { tool_prices: { paid: 1 } },
});

// proves KEY-10
it.each([
  ["paid", null, false, 1_000_000],
  ["paid", 400_000, false, 1_000_000],
  ["paid", 0, false, 1_000_000],
  ["paid", 2_000_000, false, 2_000_000],
  ["paid", 400_000, true, 400_000],
  ["free", 400_000, false, 400_000],
])("%s at %s, trusted: %s, costs %s", (tool, costMicroUsd, costIsTrusted, expected) => {
  expect(policy.evaluate(callOf(tool, {}, { costMicroUsd, costIsTrusted })).costMicroUsd).toBe(expected);
});
