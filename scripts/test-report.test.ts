import { expect, test } from "vitest";
import {
  addCounts,
  countTests,
  failedFiles,
  findComplaint,
  renderCounts,
  renderFailures,
  renderSkips,
  withHookFailures,
  withoutFiles,
} from "./test-report.ts";

function file(status: string, ...assertions: string[]) {
  return {
    name: "/checkout/e2e/a.test.ts",
    status,
    message: "",
    assertionResults: assertions.map((assertion) => ({ status: assertion, fullName: "a suite a test" })),
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

test("each failure is a line with its cause", () => {
  const failed = {
    status: "failed",
    fullName: "a suite a test",
    failureMessages: ["Error: \u001b[31mred\n    at b\n    at c"],
  };
  const report = {
    testResults: [
      { ...file("failed", "passed"), assertionResults: [failed] },
      { ...file("failed"), name: "/checkout/b.test.ts", message: `no such module ${"x".repeat(600)}the end` },
      file("passed", "passed", "skipped"),
    ],
  };
  const [first, second, ...others] = renderFailures(report, "/checkout");
  expect(first).toBe("e2e/a.test.ts: a suite a test: Error: red");
  expect(second).toMatch(/^b\.test\.ts: no such module x+ \.\.\. x+the end$/);
  expect(second).toHaveLength("b.test.ts: ".length + 250 + " ... ".length + 250);
  expect(others).toEqual([]);
});

test("a file whose hook failed says why", () => {
  const report = { testResults: [file("failed", "skipped"), { ...file("passed", "passed"), name: "/b" }] };
  const lines = `${JSON.stringify({ name: "/checkout/e2e/a.test.ts", message: "no port" })}\n`;
  expect(renderFailures(withHookFailures(report, lines), "/checkout")).toEqual(["e2e/a.test.ts: no port"]);
});

test("skipped tests are listed by file, with the peers that it declares", () => {
  const report = { testResults: [file("passed", "passed", "skipped", "skipped")] };
  const header = { peers: ["envoy"], isAlone: false, isLong: false, isWaiting: false };
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
