import type { ProblemText } from "./rego-module.ts";

interface Reading {
  readonly said: RegExp;
  readonly expected: string;
  readonly fix: (name: string) => string;
}

/** What OPA's compiler says in strict mode, in other words. */
const READINGS: readonly Reading[] = [
  {
    said: /^var (\S+) is unsafe$/,
    expected: "a variable that the body of its rule gives a value",
    fix: (name) =>
      `Give it a value in the body, as in \`${name} := ...\`, or write "${name}" in quotes for a text.`,
  },
  {
    said: /^assigned var (\S+) unused$/,
    expected: "variables that are used",
    fix: (name) => `Use ${name}, or remove its assignment.`,
  },
  {
    said: /^import (\S+) unused$/,
    expected: "imports that are used",
    fix: () => "Remove the import, or use it.",
  },
  {
    said: /^var (\S+) assigned above$/,
    expected: "one value of each variable in a rule",
    fix: (name) => `Choose another name than ${name}: a variable never changes.`,
  },
];

/** What is wrong with a module that OPA can read and does not compile. */
export function compileProblem(said: string): ProblemText {
  for (const { said: pattern, expected, fix } of READINGS) {
    const name = pattern.exec(said)?.[1];
    if (name !== undefined) return { ...common(said), expected, found: name, fix: fix(name) };
  }
  return {
    ...common(said),
    expected: "a module that OPA compiles in strict mode",
    found: said,
    fix: "Correct the rule at this place.",
  };
}

function common(said: string): Pick<ProblemText, "code" | "message"> {
  return { code: "rego/compile", message: `The module does not compile: ${said}.` };
}
