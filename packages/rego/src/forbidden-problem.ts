import type { ProblemText } from "./rego-module.ts";

/** A call of a built-in function that modules may not call. @param instead what to do about it */
export function forbiddenProblem(name: string, instead: string): ProblemText {
  return {
    code: "rego/forbidden-builtin",
    message: `A module may not call ${name}.`,
    expected: "a function that depends on nothing but its arguments",
    found: name,
    fix: instead,
  };
}
