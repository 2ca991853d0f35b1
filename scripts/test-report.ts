/** What of vitest's JSON report the closing line is counted from. */
export type TestReport = {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
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

export function renderCounts({ passed, failed, skipped }: TestCounts): string {
  return `Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Why a run is not a success although the runner ended well; undefined when it is one. */
export function findComplaint(counts: TestCounts, inCi: boolean): string | undefined {
  if (counts.failed > 0) return `${counts.failed} failed`;
  if (counts.passed === 0) return "no test ran";
  if (inCi && counts.skipped > 0) return `${counts.skipped} skipped, and every test must run in CI`;
  return undefined;
}
