import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Terminal } from "../frame/terminal.ts";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";
import { Coverage } from "../policy-test/coverage.ts";
import { enforcing } from "../policy-test/enforcing.ts";
import { planCases } from "../policy-test/plan-cases.ts";
import { readMockFile } from "../policy-test/read-mock-file.ts";
import { type CaseResult, runCases } from "../policy-test/run-cases.ts";

/** The cases that stand beside a policy, decided by it. */
export interface TestsBeside {
  readonly file: string;
  readonly passed: number;
  readonly failed: readonly CaseResult[];
}

/** What the tests of `payments.yaml` may be called: `payments.test.json` and so on. */
const ENDINGS = [".test.json", ".test.yaml", ".test.yml"] as const;

/** Null: there are none. @throws CommandFailure `usage` for a file of tests that cannot be read */
export async function testBeside(
  compiled: CompiledFile,
  path: string,
  terminal: Terminal,
): Promise<TestsBeside | null> {
  const base = path.replace(/\.(?:ya?ml|json)$/, "");
  const file = ENDINGS.map((ending) => `${base}${ending}`).find((name) =>
    existsSync(resolve(terminal.workingDirectory, name)),
  );
  if (file === undefined) return null;
  const mock = await readMockFile(file, terminal);
  const { agentId } = compiled.explaining.document.head;
  const cases = planCases(mock, { agentId, nowMs: Date.now() });
  const results = runCases(enforcing(compiled), cases, new Coverage(compiled));
  return {
    file,
    passed: results.filter(({ outcome }) => outcome === "passed").length,
    failed: results.filter(({ outcome }) => outcome === "failed"),
  };
}
