import { coveredPercent } from "./coverage.ts";
import type { TestRun } from "./render-results.ts";
import type { CaseResult } from "./run-cases.ts";

/** A run as JSON. */
export function testJson({ policy, mock, results, coverage, mutation }: TestRun) {
  const count = (outcome: CaseResult["outcome"]) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    policy,
    mock,
    passed: count("passed"),
    failed: count("failed"),
    without_expectation: count("shown"),
    cases: results.map(caseJson),
    coverage:
      coverage === null
        ? null
        : {
            percent: coveredPercent(coverage.points),
            threshold: coverage.threshold ?? null,
            missing: coverage.points
              .filter(({ isReached }) => !isReached)
              .map(({ kind, what, line }) => ({ kind, what, line })),
          },
    mutation:
      mutation === null ? null : { tried: mutation.tried, cut: mutation.isCut, ...survivors(mutation) },
  };
}

function survivors({ survivors: list }: NonNullable<TestRun["mutation"]>) {
  return { not_noticed: list.map(({ what, line }) => ({ what, line })) };
}

function caseJson({ test, outcome, verdict, failedCall, mismatches, trace }: CaseResult) {
  const { name, line, column, tool, repeat } = test;
  const { decision, rule_id, reason, reason_code, shaped_args } = verdict;
  return {
    name,
    line,
    column,
    tool,
    repeat,
    outcome: outcome === "shown" ? "without_expectation" : outcome,
    got: { decision, rule_id, reason, reason_code, shaped_args },
    failed_call: outcome === "failed" ? failedCall : null,
    mismatches,
    trace,
  };
}
