import type { RE2JS } from "re2js";
import type { PatternBudget } from "./pattern-budget.ts";

/** What may stand before and after a place, as far as `^`, `$`, `\\b` and `\\B` tell it apart. */
const NEIGHBOURS = ["", "a", " ", "\n"];

/**
 * Whether a pattern matches no character at some place of some text. Assertions look at the characters beside
 * a place alone, so a few texts stand for all.
 */
export function matchesEmptyText(pattern: string, patterns: PatternBudget): boolean {
  return [0, 1].some((before) =>
    [0, 1].some((after) => {
      const between = compiledBetween(pattern, { before, after, patterns });
      return textsOf(before, after).some((text) => between.matches(text));
    }),
  );
}

interface Between {
  readonly before: number;
  readonly after: number;
  readonly patterns: PatternBudget;
}

function compiledBetween(pattern: string, { before, after, patterns }: Between): RE2JS {
  const [first, last] = [before, after].map((length) => `(?s:.{${String(length)}})`);
  // Without its end a quotation goes on to the end of the pattern, and would take the bracket in.
  const isQuoted = /\\Q(?![^]*\\E)/.test(pattern);
  return patterns.compiled(`${first ?? ""}(?:${pattern}${isQuoted ? "\\E" : ""})${last ?? ""}`);
}

function textsOf(before: number, after: number): readonly string[] {
  const [left, right] = [before, after].map((length) => NEIGHBOURS.filter((one) => one.length === length));
  return (left ?? []).flatMap((one) => (right ?? []).map((other) => one + other));
}
