import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { TestFile } from "./test-files.ts";

/** What of vitest's JSON report the closing line is counted from. */
export type TestReport = {
  readonly testResults: readonly {
    /** Full path of the file. */
    readonly name: string;
    readonly status: string;
    /** Why it could not be loaded; empty when its tests ran. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
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

/** Names of the files with a failed test. */
export function failedFiles({ testResults }: TestReport): readonly string[] {
  return testResults.filter((file) => countTests({ testResults: [file] }).failed > 0).map(({ name }) => name);
}

/** Characters of a line about a failure from its beginning and its end: a program says last why it ended. */
const FAILURE_HEAD = 250;
const FAILURE_TAIL = 250;

/** Where the stack of an error begins. */
const STACK = /\n {4}at [^]*/;

/**
 * The report, where a file whose hook failed says why: vitest's own counts its tests as skipped.
 * @param lines as progress-reporter.ts writes them: JSON of name and message
 */
export function withHookFailures({ testResults }: TestReport, lines: string): TestReport {
  const failures = lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly name: string; readonly message: string });
  const messageOf = (name: string) => failures.find((failure) => failure.name === name)?.message;
  return {
    testResults: testResults.map((file) => ({ ...file, message: messageOf(file.name) ?? file.message })),
  };
}

/** A line for each failed test: its file, its name, and how its first error begins. */
export function renderFailures({ testResults }: TestReport, root: string): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    const causes = failed.map((test) => `${test.fullName}: ${test.failureMessages?.[0] ?? ""}`);
    if (causes.length === 0 && status === "failed") causes.push(message);
    return causes.map((cause) => {
      const said = stripVTControlCharacters(cause).replace(STACK, "").trim().replaceAll(/\s+/g, " ");
      const shown =
        said.length <= FAILURE_HEAD + FAILURE_TAIL
          ? said
          : `${said.slice(0, FAILURE_HEAD)} ... ${said.slice(-FAILURE_TAIL)}`;
      return `${relative(root, name)}: ${shown}`;
    });
  });
}

/** The report without these files, by their full paths. */
export function withoutFiles({ testResults }: TestReport, names: readonly string[]): TestReport {
  return { testResults: testResults.filter(({ name }) => !names.includes(name)) };
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
