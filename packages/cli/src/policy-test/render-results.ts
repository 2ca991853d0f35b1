import type { Piece } from "../frame/text.ts";
import type { ReportItem } from "../reports/report.ts";
import { type CoveragePoint, coveredPercent } from "./coverage.ts";
import type { MutationResult } from "./find-survivors.ts";
import type { CaseResult } from "./run-cases.ts";

/** Everything that one run found. */
export interface TestRun {
  readonly policy: string;
  readonly mock: string;
  readonly results: readonly CaseResult[];
  /** Null: nobody asked. */
  readonly coverage: {
    readonly points: readonly CoveragePoint[];
    readonly threshold: number | undefined;
  } | null;
  readonly mutation: MutationResult | null;
}

/** A line for each case, the whole story of each that failed, and the count of those that passed. */
export function renderResults(run: TestRun): readonly Piece[] {
  return [
    ...run.results.flatMap((result) => caseLines(run.mock, result)),
    ...(run.coverage === null ? [] : coverageLines(run.policy, run.coverage)),
    ...(run.mutation === null ? [] : mutationLines(run.policy, run.mutation)),
    "\n",
    ...countLine(run.results),
  ];
}

const MARKS = {
  passed: { text: "ok  ", as: "good" },
  failed: { text: "FAIL", as: "bad" },
  shown: { text: "--  ", as: "dim" },
} as const satisfies Record<CaseResult["outcome"], Piece>;

function caseLines(mock: string, { test, outcome, ...result }: CaseResult): readonly Piece[] {
  const { name, repeat, line, column } = test;
  const times = repeat === 1 ? "" : ` (${String(repeat)} calls)`;
  const decided = outcome === "shown" ? `: ${answerOf(result)}` : "";
  const first: readonly Piece[] = [MARKS[outcome], ` ${name}${times}${decided}\n`];
  if (outcome !== "failed") return first;
  const call = repeat === 1 ? "" : `call ${String(result.failedCall)}, `;
  const place: Piece = { text: `     ${call}${mock}:${String(line)}:${String(column)}\n`, as: "dim" };
  const differences = result.mismatches.flatMap(({ member, expected, got }): readonly Piece[] => [
    `     expected ${member}: ${expected}\n`,
    "     got      ",
    { text: `${member}: ${got}\n`, as: "bad" },
  ]);
  const trace = result.trace.map((text) => `       ${text}\n`);
  return [...first, place, ...differences, `     ${answerOf(result)}\n`, ...trace];
}

/** The decision in one line. */
function answerOf({ verdict }: Pick<CaseResult, "verdict">): string {
  const { decision, rule_id: rule, reason, shaped_args: shaped } = verdict;
  const by = rule === null ? "" : ` by ${rule}`;
  const because = reason === null ? "" : `: ${reason}`;
  const rewritten = shaped === null ? "" : `, with ${JSON.stringify(shaped)}`;
  return `${decision}${by}${because}${rewritten}`;
}

function coverageLines(
  policy: string,
  { points, threshold }: NonNullable<TestRun["coverage"]>,
): readonly Piece[] {
  const percent = coveredPercent(points);
  const missing = points.filter(({ isReached }) => !isReached);
  const reached = points.length - missing.length;
  const enough = threshold === undefined || percent >= threshold;
  const wanted = threshold === undefined ? "" : `, at least ${String(threshold)}% wanted`;
  return [
    "\ncoverage: ",
    { text: `${String(percent)}%`, as: enough ? "good" : "bad" },
    ` (${String(reached)} of ${String(points.length)})${wanted}\n`,
    ...missing.map(({ line, what }) => `     ${policy}:${String(line)}: no case in which ${what}\n`),
  ];
}

function mutationLines(policy: string, { tried, isCut, survivors }: MutationResult): readonly Piece[] {
  const cut = isCut ? ", the first ones only" : "";
  return [
    `\nmutation: ${String(tried - survivors.length)} of ${String(tried)} changes were noticed${cut}\n`,
    ...survivors.map(({ line, what }) => `     ${policy}:${String(line)}: not noticed: ${what}\n`),
  ];
}

function countLine(results: readonly CaseResult[]): readonly Piece[] {
  const count = (outcome: CaseResult["outcome"]) =>
    results.filter((result) => result.outcome === outcome).length;
  const [passed, failed, shown] = [count("passed"), count("failed"), count("shown")];
  return [
    { text: `${String(passed)} passed`, as: failed === 0 ? "good" : "strong" },
    ...(failed === 0 ? [] : [", ", { text: `${String(failed)} failed`, as: "bad" } as const]),
    shown === 0 ? "\n" : `, ${String(shown)} without an expectation\n`,
  ];
}

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
