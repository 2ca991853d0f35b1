import { expect, test } from "vitest";
import {
  addCounts,
  countTests,
  failedFiles,
  findComplaint,
  renderCounts,
  renderSkips,
  withoutFiles,
} from "./test-report.ts";

function file(status: string, ...assertions: string[]) {
  return {
    name: "/checkout/e2e/a.test.ts",
    status,
    assertionResults: assertions.map((assertion) => ({ status: assertion })),
  };
}

test("every status other than passed and failed counts as skipped", () => {
  const report = { testResults: [file("failed", "passed", "failed", "skipped", "todo", "pending")] };
  expect(renderCounts(countTests(report))).toBe("1 passed, 1 failed, 3 skipped");
});

test("a file that could not be loaded is one failure", () => {
  const report = { testResults: [file("passed", "passed"), file("failed")] };
  expect(countTests(report)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test("the counts of stages add up", () => {
  const first = { passed: 1, failed: 2, skipped: 3 };
  expect(addCounts([first, { passed: 10, failed: 0, skipped: 0 }])).toEqual({
    passed: 11,
    failed: 2,
    skipped: 3,
  });
});

test("the files that failed are named, and the unsteady ones leave the report", () => {
  const named = (name: string, ...assertions: string[]) => ({ ...file("passed", ...assertions), name });
  const report = {
    testResults: [named("a", "passed"), named("b", "failed", "passed"), named("c", "failed")],
  };
  expect(failedFiles(report)).toEqual(["b", "c"]);
  expect(countTests(withoutFiles(report, ["b"]))).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test("skipped tests are listed by file, with the peers that it declares", () => {
  const report = { testResults: [file("passed", "passed", "skipped", "skipped")] };
  const header = { peers: ["envoy"], isAlone: false, isLong: false };
  const files = [{ path: "e2e/a.test.ts", kind: "e2e", ...header }] as const;
  expect(renderSkips(report, files)).toEqual(["2 skipped in e2e/a.test.ts (tests that need envoy)"]);
  expect(renderSkips({ testResults: [file("passed", "passed")] }, files)).toEqual([]);
});

test.each([
  [{ passed: 1, failed: 0, skipped: 0 }, true, undefined],
  [{ passed: 1, failed: 0, skipped: 1 }, false, undefined],
  [{ passed: 1, failed: 0, skipped: 1 }, true, "1 skipped, and every test must run in CI"],
  [{ passed: 0, failed: 0, skipped: 0 }, false, "no test ran"],
  [{ passed: 0, failed: 0, skipped: 3 }, false, "no test ran"],
  [{ passed: 5, failed: 1, skipped: 0 }, false, "1 failed"],
] as const)("%o, where skips fail: %s, is %s", (counts, skipsFail, complaint) => {
  expect(findComplaint(counts, { skipsFail })).toBe(complaint);
});
