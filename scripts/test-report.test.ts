import { expect, test } from "vitest";
import { countTests, findComplaint, renderCounts } from "./test-report.ts";

function file(status: string, ...assertions: string[]) {
  return { status, assertionResults: assertions.map((assertion) => ({ status: assertion })) };
}

test("every status other than passed and failed counts as skipped", () => {
  const report = { testResults: [file("failed", "passed", "failed", "skipped", "todo", "pending")] };
  expect(renderCounts(countTests(report))).toBe("Tests: 1 passed, 1 failed, 3 skipped");
});

test("a file that could not be loaded is one failure", () => {
  const report = { testResults: [file("passed", "passed"), file("failed")] };
  expect(countTests(report)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test.each([
  [{ passed: 1, failed: 0, skipped: 0 }, true, undefined],
  [{ passed: 1, failed: 0, skipped: 1 }, false, undefined],
  [{ passed: 1, failed: 0, skipped: 1 }, true, "1 skipped, and every test must run in CI"],
  [{ passed: 0, failed: 0, skipped: 0 }, false, "no test ran"],
  [{ passed: 0, failed: 0, skipped: 3 }, false, "no test ran"],
  [{ passed: 5, failed: 1, skipped: 0 }, false, "1 failed"],
] as const)("%o in CI %s: %s", (counts, inCi, complaint) => {
  expect(findComplaint(counts, inCi)).toBe(complaint);
});
