import { codeOf } from "./code-of.ts";
import type { ProblemText } from "./rego-module.ts";

/** Longest piece of the module that is shown, in characters. */
const MAX_PIECE = 40;

interface Hint {
  /** In what OPA said. */
  readonly said?: RegExp;
  /** In the text from the place on. */
  readonly here?: RegExp;
  /** In the line before the place. */
  readonly before?: RegExp;
  readonly expected: string;
  readonly fix: string;
}

const MIXED_FORMS: Hint = {
  expected: "one form of Rego in the whole module",
  fix:
    "The module mixes the form before Rego v1, as in `deny[msg] { ... }`, with that of v1. Write every " +
    "rule in the form of v1: `deny contains message if { ... }`, and `good if { ... }` for a helper.",
};

/** What OPA says of a rule in the other form than the one that it reads. */
const OTHER_FORM = /import future\.keywords|keyword is required/;

const OLD_HEAD = /^[A-Za-z_]\w*(?:\[[^\]\n]*\]|\([^)\n]*\))?\s*\{/m;

const NEW_FORM = /\b(?:contains|if)\b|\brego\.v1\b/;

const ONE_CONDITION = "one condition on each line of a body";

/** What people write who know another language, or other Rego; the first that fits is told. */
const HINTS: readonly Hint[] = [
  {
    said: /^package expected/,
    expected: "a package in the first line",
    fix: "Begin the module with a line such as `package policy`. Its name is free.",
  },
  {
    here: /^['\u2018-\u201d]/,
    expected: "a text in double quotes",
    fix: 'Write texts in double quotes, as in "payments.send".',
  },
  { here: /^\/[/*]/, expected: "a rule, or a comment with #", fix: "Begin the comment with #." },
  {
    here: /^&/,
    expected: ONE_CONDITION,
    fix: "Write the conditions on lines of their own in { }, or with ; between them: all of them must hold.",
  },
  {
    here: /^\|/,
    expected: ONE_CONDITION,
    fix: "Write a second rule of the same name with the other condition: one of them is enough.",
  },
  { here: /^!/, expected: "a condition", fix: "Write `not` before the condition." },
  { here: /^:/, expected: "a body in { }", fix: "Remove the colon, and write the conditions in { }." },
  {
    said: /unexpected in keyword/,
    before: /\bnot\s*$/,
    expected: "`not` before the whole condition",
    fix: "Write `not x in xs`.",
  },
  {
    said: /keyword is required/,
    expected: "`if` before the body of a rule, and `contains` in a rule that is a set",
    fix: "Write `deny contains message if { ... }`.",
  },
  {
    said: /\belse\b/,
    expected: "rules of their own: a set has no else",
    fix: "Write a second rule, `deny contains message if { ... }`, with the conditions of the other case.",
  },
  {
    said: /eof token|non-terminated/,
    expected: "an end of each bracket and quote",
    fix: "Close the bracket or quote that is still open here.",
  },
  {
    said: /cannot be used for rule name|rule must have value|conflicts with built-in/,
    expected: ONE_CONDITION,
    fix:
      "The condition before this place ended, so OPA takes this for another rule. Compare with ==, !=, <, " +
      "<=, > or >=, or call a function, as in regex.match(pattern, text).",
  },
];

/**
 * What is wrong with a text that OPA can not read.
 * @param said OPA's message @param column in characters, from 1
 */
export function syntaxProblem(text: string, said: string, row: number, column: number): ProblemText {
  if (/^\s*\S+\.rego\s*$/.test(text)) return FILE_NAME;
  const line = Array.from(text.split("\n")[row - 1] ?? "");
  const here = line.slice(column - 1).join("");
  const before = line.slice(0, column - 1).join("");
  const hint = mixesForms(text, said)
    ? MIXED_FORMS
    : HINTS.find(
        (one) =>
          (one.said?.test(said) ?? true) &&
          (one.here?.test(here) ?? true) &&
          (one.before?.test(before) ?? true),
      );
  return {
    code: "rego/syntax",
    message: `The module is not Rego: ${said}.`,
    expected: hint?.expected ?? "Rego v1",
    found: here.trim() === "" ? "the end of the line" : shown(here.trim()),
    fix: hint?.fix ?? "Correct the text here: OPA can read what stands before it.",
  };
}

function mixesForms(text: string, said: string): boolean {
  if (!OTHER_FORM.test(said)) return false;
  const code = codeOf(text);
  return OLD_HEAD.test(code) && NEW_FORM.test(code);
}

const FILE_NAME: ProblemText = {
  code: "rego/syntax",
  message: "The module is the name of a file.",
  expected: "the text of the module",
  found: "a name that ends in .rego",
  fix: "Write `rego: |`, and below it the text of the file, indented.",
};

function shown(piece: string): string {
  const units = Array.from(piece);
  return units.length <= MAX_PIECE ? piece : `${units.slice(0, MAX_PIECE).join("")}...`;
}
