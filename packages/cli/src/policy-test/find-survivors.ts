import type { Evaluator } from "@svc/engine/evaluation";
import { compileExplaining } from "@svc/policy-analysis/compile-explaining";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";
import { decideCases } from "./decide-cases.ts";
import { mismatches } from "./mismatches.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import type { TestCase } from "./test-case.ts";

/** Most changes of a policy that are tried, as count: each runs every case. */
const MAX_MUTANTS = 5_000;

export interface MutationResult {
  readonly tried: number;
  /** Whether the policy has more changes than were tried. */
  readonly isCut: boolean;
  /** Changes that no case noticed. */
  readonly survivors: readonly Pick<Mutant, "what" | "line">[];
}

/** Changes the policy in one place at a time, and lists the changes with which every case still passes. */
export async function findSurvivors(
  file: CompiledFile,
  cases: readonly TestCase[],
  onProgress: (tried: number) => void,
): Promise<MutationResult> {
  const survivors: Pick<Mutant, "what" | "line">[] = [];
  const { evaluators } = file.explaining.policy;
  let tried = 0;
  for (const { what, line, document } of mutantsOf(file)) {
    if (tried >= MAX_MUTANTS) return { tried, isCut: true, survivors };
    tried += 1;
    onProgress(tried);
    if (!(await isNoticed(document, evaluators, cases))) survivors.push({ what, line });
  }
  return { tried, isCut: false, survivors };
}

async function isNoticed(
  document: Mutant["document"],
  evaluators: readonly Evaluator[],
  cases: readonly TestCase[],
): Promise<boolean> {
  let noticed = false;
  await decideCases(compileExplaining(document, evaluators), cases, (test, decided) => {
    if (test.expected !== null && mismatches(test.expected, decided).length > 0) noticed = true;
    return !noticed;
  });
  return noticed;
}
