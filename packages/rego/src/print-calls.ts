import { codeOf, placeIn } from "./code-of.ts";
import { FORBIDDEN_BUILTINS } from "./forbidden-builtins.ts";
import { forbiddenProblem } from "./forbidden-problem.ts";
import { MAX_PROBLEMS } from "./rego-limits.ts";
import type { RegoModule, RegoProblem } from "./rego-module.ts";

const PRINT = "print";

/** Calls of `print`, which OPA removes before it looks at the module: nobody would see what they print. */
export function printCalls({ text }: Pick<RegoModule, "text">): readonly RegoProblem[] {
  const instead = FORBIDDEN_BUILTINS.get(PRINT) ?? "Remove the call.";
  const problems: RegoProblem[] = [];
  for (const { index } of codeOf(text).matchAll(/(?<![\w.])print\s*\(/g)) {
    if (problems.length >= MAX_PROBLEMS) break;
    problems.push({ severity: "error", ...placeIn(text, index), ...forbiddenProblem(PRINT, instead) });
  }
  return problems;
}
