import { expect, it } from "vitest";
import { matrixIn, testNames, verdictOf, withMatrix } from "./matrix-result.ts";

const test = (fullName: string, status: string) => ({ fullName, status });

it.each([
  ["every test passed", [test("suite a: x", "passed"), test("suite a: y", "passed")], "passed"],
  ["one test failed", [test("suite a: x", "passed"), test("suite a: y", "failed")], "failed"],
  ["one test was skipped", [test("suite a: x", "passed"), test("suite a: y", "skipped")], "failed"],
  ["no test ran", [], "failed"],
  ["tests of another framework passed", [test("suite ab: x", "passed")], "failed"],
  [
    "a test of another framework failed",
    [test("suite a: x", "passed"), test("suite ab: x", "failed")],
    "passed",
  ],
  [
    "a test of every framework failed",
    [test("suite a: x", "passed"), test("suite every framework: x", "failed")],
    "failed",
  ],
])("%s", (_, assertionResults, wanted) => {
  expect(verdictOf({ testResults: [{ assertionResults }] }, "suite", "a")).toBe(wanted);
});

it("selects the tests of some frameworks, and of every framework", () => {
  const pattern = new RegExp(testNames("suite", ["a", "b"]));
  const titles = ["suite > a: x", "suite > every framework: x", "suite > c: x", "suite > ca: x"];
  expect(titles.filter((title) => pattern.test(title))).toEqual(titles.slice(0, 2));
});

it("replaces the last result", () => {
  const document = "before\n<!-- matrix: begin -->\nold\n<!-- matrix: end -->\nafter\n";
  const cells = { oldest: "a 1: passed", newest: "a 2: failed" };
  const rows = [{ language: "Python", name: "a", cells, day: "2026-11-23" }];
  const written = withMatrix(document, rows);
  expect(written).toBe(
    `before
<!-- matrix: begin -->
| Framework | Language | Oldest | Newest | Last run |
|---|---|---|---|---|
| a | Python | a 1: passed | a 2: failed | 2026-11-23 |
<!-- matrix: end -->
after
`,
  );
  expect(matrixIn(written)).toEqual(rows);
  expect(matrixIn(document)).toEqual([]);
  expect(() => withMatrix("nothing", [])).toThrow("expected <!-- matrix: begin -->");
});
