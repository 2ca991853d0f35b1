import type { ReportItem } from "../reports/report.ts";
import { coveredPercent } from "./coverage.ts";
import { answerOf, type TestRun } from "./render-results.ts";
import type { CaseResult } from "./run-cases.ts";

/** A run as items of a report: each case, and the coverage when there is a threshold. */
export function reportItems(run: TestRun): readonly ReportItem[] {
  const cases = run.results.map((result) => caseItem(run.mock, result));
  const coverage = coverageItem(run);
  return coverage === null ? cases : [...cases, coverage];
}

function caseItem(mock: string, result: CaseResult): ReportItem {
  const { test, outcome, mismatches, trace } = result;
  const { name, line, column } = test;
  if (outcome !== "failed") return { group: mock, name, outcome: "passed", problems: [] };
  const differences = mismatches.map(
    ({ member, expected, got }) => `${member}: expected ${expected}, got ${got}`,
  );
  const message = `${name}: ${differences.join("; ")}`;
  const detail = [answerOf(result), ...trace].join("\n");
  const code = "test/unexpected-decision";
  const problem = { severity: "error", code, file: mock, line, column, message, detail } as const;
  return { group: mock, name, outcome: "failed", problems: [problem] };
}

function coverageItem({ policy, coverage }: TestRun): ReportItem | null {
  if (coverage?.threshold === undefined) return null;
  const percent = coveredPercent(coverage.points);
  const isEnough = percent >= coverage.threshold;
  const name = `coverage is at least ${String(coverage.threshold)}%`;
  if (isEnough) return { group: policy, name, outcome: "passed", problems: [] };
  const missing = coverage.points.filter(({ isReached }) => !isReached);
  const problem = {
    severity: "error",
    code: "test/coverage",
    file: policy,
    line: missing[0]?.line ?? 1,
    column: 1,
    message: `coverage is ${String(percent)}%, expected at least ${String(coverage.threshold)}%`,
    detail: missing.map(({ line, what }) => `line ${String(line)}: no case in which ${what}`).join("\n"),
  } as const;
  return { group: policy, name, outcome: "failed", problems: [problem] };
}
