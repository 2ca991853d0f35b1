import { expect, it } from "vitest";
import { verdictOf, withMatrix } from "./matrix-result.ts";

const test = (fullName: string, status: string) => ({ fullName, status });

it.each([
  ["every test passed", [test("suite a: x", "passed"), test("suite a: y", "passed")], "passed"],
  ["one test failed", [test("suite a: x", "passed"), test("suite a: y", "failed")], "failed"],
  ["one test was skipped", [test("suite a: x", "passed"), test("suite a: y", "skipped")], "failed"],
  ["no test ran", [], "failed"],
  ["tests of another framework passed", [test("suite ab: x", "passed")], "failed"],
])("%s", (_, assertionResults, wanted) => {
  expect(verdictOf({ testResults: [{ assertionResults }] }, "suite", "a")).toBe(wanted);
});

it("replaces the last result", () => {
  const document = "before\n<!-- matrix: begin -->\nold\n<!-- matrix: end -->\nafter\n";
  const cells = { oldest: "a 1: passed", newest: "a 2: failed" };
  expect(withMatrix(document, [{ language: "Python", name: "a", cells }], "2026-11-23")).toBe(
    `before
<!-- matrix: begin -->
Last run: 2026-11-23.

| Framework | Language | Oldest | Newest |
|---|---|---|---|
| a | Python | a 1: passed | a 2: failed |
<!-- matrix: end -->
after
`,
  );
  expect(() => withMatrix("nothing", [], "2026-11-23")).toThrow("expected <!-- matrix: begin -->");
});
