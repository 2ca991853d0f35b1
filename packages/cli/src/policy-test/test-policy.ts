import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type CompiledFile, compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { warnOfSlowModule } from "../policy-files/local-modules.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";
import { reportsOf } from "../reports/report.ts";
import { Coverage, coveredPercent } from "./coverage.ts";
import { enforcing } from "./decide-cases.ts";
import { findSurvivors } from "./find-survivors.ts";
import { planCases } from "./plan-cases.ts";
import { type MockFile, readMockFile } from "./read-mock-file.ts";
import { renderResults, reportItems, type TestRun } from "./render-results.ts";
import { type CaseResult, runCases } from "./run-cases.ts";
import { testJson } from "./test-json.ts";
import { updateExpectations } from "./update-expectations.ts";

export interface TestOptions extends OutputOptions {
  readonly mock: string;
  readonly run?: RegExp;
  readonly now?: number;
  readonly coverage: boolean;
  readonly threshold?: number;
  readonly mutate: boolean;
  readonly watch: boolean;
  readonly update: boolean;
  readonly yes: boolean;
}

/** Runs the cases of a file against a policy. @throws CommandFailure */
export async function testPolicy(path: string, options: TestOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const mock = await readMockFile(options.mock, terminal);
  const file = await compilePolicyFile(await readPolicyFile(path, terminal));
  const { head } = file.explaining.document;
  const nowMs = options.now ?? Date.now();
  const cases = planCases(mock, { agentId: head.agentId, nowMs });
  const coverage = new Coverage(file);
  const all = await runCases(enforcing(file), cases, coverage);
  const results = selected(all, options);
  if (options.update) {
    const decide = (updated: MockFile) =>
      runCases(enforcing(file), planCases(updated, { agentId: head.agentId, nowMs }), new Coverage(file));
    return updateExpectations({ mock, cases, results, decide }, options, terminal);
  }
  const run: TestRun = {
    policy: file.file,
    mock: mock.file,
    results,
    coverage: wantsCoverage(options) ? { points: coverage.points, threshold: options.threshold } : null,
    mutation: options.mutate ? await mutate(file, all, output) : null,
  };
  if (head.mode !== "enforcement") output.warn(modeWarning(head.mode));
  warnOfSlowModule(file.moduleTimes, output);
  if (file.explaining.policy.needs.time && options.now === undefined && cases.some(({ isTimed }) => !isTimed))
    output.warn("the policy reads the time, and not every case names one: they ran with the time of now");
  output.result({
    text: renderResults(run),
    schema: "svc.cli.test/v1",
    json: testJson(run),
    items: results.map((result) => testJson({ ...run, results: [result] }).cases[0] ?? {}),
    reports: reportsOf({ tool: "test", items: reportItems(run) }),
  });
  return isFailed(run) ? "failed" : "ok";
}

function selected(results: readonly CaseResult[], { run, mock }: TestOptions): readonly CaseResult[] {
  if (run === undefined) return results;
  const chosen = results.filter(({ test }) => run.test(test.name));
  if (chosen.length === 0)
    throw new CommandFailure("usage", `--run: no case of ${mock} has a name that matches ${run.source}`);
  return chosen;
}

function wantsCoverage({ coverage, threshold }: TestOptions): boolean {
  return coverage || threshold !== undefined;
}

async function mutate(
  file: CompiledFile,
  results: readonly CaseResult[],
  output: Output,
): Promise<TestRun["mutation"]> {
  const failed = results.filter(({ outcome }) => outcome === "failed").length;
  if (failed > 0)
    throw new CommandFailure(
      "failed",
      `--mutate needs cases that pass, and ${String(failed)} of ${String(results.length)} fail`,
    );
  const cases = results.map(({ test }) => test);
  return findSurvivors(enforcing(file), cases, (tried) =>
    output.progress(`${String(tried)} changes of the policy tried`),
  );
}

function isFailed({ results, coverage }: TestRun): boolean {
  if (results.some(({ outcome }) => outcome === "failed")) return true;
  return coverage?.threshold !== undefined && coveredPercent(coverage.points) < coverage.threshold;
}

function modeWarning(mode: string): string {
  return (
    `the mode of the policy is ${mode}: a gateway allows every call now. ` +
    "The cases say what enforcement answers"
  );
}
