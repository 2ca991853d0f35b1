import type { Terminal } from "../frame/terminal.ts";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";
import { Coverage } from "../policy-test/coverage.ts";
import { enforcing } from "../policy-test/enforcing.ts";
import { planCases } from "../policy-test/plan-cases.ts";
import { readMockFile } from "../policy-test/read-mock-file.ts";
import { type CaseResult, runCases } from "../policy-test/run-cases.ts";
import { findTestsBeside } from "../policy-test/tests-beside.ts";

/** The cases that stand beside a policy, decided by it. */
export interface TestsBeside {
  readonly file: string;
  readonly passed: number;
  readonly failed: readonly CaseResult[];
}

/** Null: there are none. @throws CommandFailure `usage` for a file of tests that cannot be read */
export async function testBeside(
  compiled: CompiledFile,
  path: string,
  terminal: Terminal,
): Promise<TestsBeside | null> {
  const file = findTestsBeside(path, terminal);
  if (file === null) return null;
  const mock = await readMockFile(file, terminal);
  const { agentId } = compiled.explaining.document.head;
  const cases = planCases(mock, { agentId, nowMs: Date.now() });
  const results = await runCases(enforcing(compiled), cases, new Coverage(compiled));
  return {
    file,
    passed: results.filter(({ outcome }) => outcome === "passed").length,
    failed: results.filter(({ outcome }) => outcome === "failed"),
  };
}
