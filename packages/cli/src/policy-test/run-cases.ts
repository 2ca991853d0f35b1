import type { SimulatedVerdict } from "@svc/contract/policy-explanation";
import { renderTrace } from "@svc/policy-analysis/render-trace";
import type { JsonObject } from "@svc/text/json-value";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";
import type { Coverage } from "./coverage.ts";
import { decideCases } from "./decide-cases.ts";
import { type Mismatch, mismatches } from "./mismatches.ts";
import type { TestCase } from "./test-case.ts";

/** What became of one case. */
export interface CaseResult {
  readonly test: TestCase;
  /** `shown`: the case expects nothing. */
  readonly outcome: "passed" | "failed" | "shown";
  /** Of the call that failed, or of the last one. */
  readonly verdict: SimulatedVerdict;
  /** The rewritten arguments of that call, with what the verdict masks; null: nothing was rewritten. */
  readonly shapedArgs: JsonObject | null;
  /** Which call of a repeated case failed, from 1. */
  readonly failedCall: number;
  readonly mismatches: readonly Mismatch[];
  /** How the policy came to the verdict, as lines; empty unless the case failed. */
  readonly trace: readonly string[];
}

/** Runs the cases in their order. A case that is repeated passes when every call is as expected. */
export async function runCases(
  file: CompiledFile,
  cases: readonly TestCase[],
  coverage: Coverage,
): Promise<readonly CaseResult[]> {
  const results = new Map<TestCase, CaseResult>();
  let call = 0;
  await decideCases(file.explaining, cases, (test, decided) => {
    const { verdict, explanation } = decided.simulation;
    call = results.has(test) ? call + 1 : 1;
    coverage.note(explanation);
    const before = results.get(test);
    if (before?.outcome === "failed") return true;
    const found = test.expected === null ? [] : mismatches(test.expected, decided);
    const isFailed = found.length > 0;
    results.set(test, {
      test,
      outcome: outcomeOf(test, isFailed),
      verdict,
      shapedArgs: decided.shapedArgs,
      failedCall: isFailed ? call : 0,
      mismatches: found,
      trace: isFailed ? renderTrace(explanation) : [],
    });
    return true;
  });
  return [...results.values()];
}

function outcomeOf({ expected }: TestCase, isFailed: boolean): CaseResult["outcome"] {
  if (expected === null) return "shown";
  return isFailed ? "failed" : "passed";
}
