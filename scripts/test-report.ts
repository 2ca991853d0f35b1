import type { TestFile } from "./test-files.ts";

/** What of vitest's JSON report the closing line is counted from. */
export type TestReport = {
  readonly testResults: readonly {
    /** Full path of the file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
};

export type TestCounts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
};

/** A file that could not be loaded has no tests to count; it is counted as one failure. */
export function countTests(report: TestReport): TestCounts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report.testResults) {
    const failedBefore = counts.failed;
    for (const { status } of file.assertionResults) {
      if (status === "passed" || status === "failed") counts[status] += 1;
      else counts.skipped += 1;
    }
    if (file.status === "failed" && counts.failed === failedBefore) counts.failed += 1;
  }
  return counts;
}

export function addCounts(all: readonly TestCounts[]): TestCounts {
  const sum = (key: keyof TestCounts): number => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

export function renderCounts({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Most files that run again after they failed, as count. More of them failed for a reason of their own. */
const MAX_REPEATED_FILES = 3;

/** How fast-check reports that a property does not hold. */
const COUNTEREXAMPLE = /Property failed after \d+ tests/;

/** Names of the files with a failed test. */
export function failedFiles({ testResults }: TestReport): readonly string[] {
  return testResults.filter((file) => countTests({ testResults: [file] }).failed > 0).map(({ name }) => name);
}

/**
 * The files to run again by themselves: a test that measures time, or waits with a deadline, may fail on a
 * busy machine. Empty when too many files failed. A counterexample to a property is a fault, which another
 * run with other random values would hide: a file with one does not run again.
 */
export function filesToRepeat(report: TestReport): readonly string[] {
  const failed = failedFiles(report);
  if (failed.length > MAX_REPEATED_FILES) return [];
  const refuted = report.testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ failureMessages = [] }) =>
      failureMessages.some((message) => COUNTEREXAMPLE.test(message)),
    ),
  );
  return failed.filter((failedName) => !refuted.some(({ name }) => name === failedName));
}

/** The report with the results of the second run in place of the first ones. */
export function withRepeats(report: TestReport, repeated: TestReport): TestReport {
  const again = new Map(repeated.testResults.map((file) => [file.name, file]));
  return { testResults: report.testResults.map((file) => again.get(file.name) ?? file) };
}

/** A line for each file with skipped tests: how many, and the peers that the file declares. */
export function renderSkips(report: TestReport, files: readonly TestFile[]): readonly string[] {
  return report.testResults.flatMap((result) => {
    const { skipped } = countTests({ testResults: [result] });
    const file = files.find(({ path }) => result.name.endsWith(`/${path}`));
    if (skipped === 0 || file === undefined) return [];
    const needs = file.peers.length > 0 ? ` (tests that need ${file.peers.join(", ")})` : "";
    return [`${skipped} skipped in ${file.path}${needs}`];
  });
}

/** Why a run is not a success although the runner ended well; undefined when it is one. */
export function findComplaint(
  counts: TestCounts,
  { skipsFail }: { readonly skipsFail: boolean },
): string | undefined {
  if (counts.failed > 0) return `${counts.failed} failed`;
  if (counts.passed === 0) return "no test ran";
  if (skipsFail && counts.skipped > 0) return `${counts.skipped} skipped, and every test must run in CI`;
  return undefined;
}
