import { codePoint } from "@svc/text/code-point";
import { placeIn, withoutTexts } from "./code-of.ts";
import { MAX_PROBLEMS } from "./rego-limits.ts";
import type { RegoModule, RegoProblem } from "./rego-module.ts";

/** What editors show as the end of a line, and Rego does not take for one. */
const LINE_ENDS = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g;

/**
 * Characters outside texts that look like the end of a line. A comment goes on behind them, so it swallows a
 * rule that follows.
 */
export function hiddenLineEnds({ text }: Pick<RegoModule, "text">): readonly RegoProblem[] {
  const found = [...withoutTexts(text).matchAll(LINE_ENDS)].slice(0, MAX_PROBLEMS);
  return found.map(({ index, 0: character }) => ({
    severity: "error",
    ...placeIn(text, index),
    code: "rego/hidden-line-end",
    message: "This character looks like the end of a line, and a comment goes on behind it.",
    expected: "lines that end with a line feed (U+000A), alone or behind a carriage return",
    found: codePoint(character),
    fix: "Write a line feed in place of the character, or remove it.",
  }));
}
