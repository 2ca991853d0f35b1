import type { JsonObject } from "@svc/text/json-value";
import { MAX_REGEX_INSTRUCTIONS } from "../evaluate/text-work.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectText, refuse } from "./expect.ts";
import { fixRegex } from "./fix-regex.ts";
import type { PatternBudget } from "./pattern-budget.ts";

/** Longest text of a pattern in UTF-16 units. */
const MAX_REGEX_LENGTH = 4_000;

export const REGEX_SCHEMA: JsonObject = {
  type: "string",
  maxLength: MAX_REGEX_LENGTH,
  description: "A regular expression in RE2 syntax.",
};

/** An RE2 pattern that compiles to a program of bounded size. */
export function expectPattern(node: SourceNode, patterns: PatternBudget, reporter: Reporter): string | null {
  const text = expectText(node, "a regular expression in RE2 syntax", reporter);
  if (text === null) return null;
  const fault = text.length > MAX_REGEX_LENGTH ? "it is too long" : patternFault(text, patterns);
  if (fault === null) return text;
  return refuse("policy/invalid-regex", node, reporter, {
    message: `the regular expression cannot be used: ${fault}`,
    expected: "RE2 syntax: no look-around, no back-references, modest repetition",
    fix: patterns.isSpent ? "write fewer or shorter patterns" : fixRegex(text, fault),
  });
}

/** Why the pattern cannot be compiled; null when it can. */
function patternFault(text: string, patterns: PatternBudget): string | null {
  if (patterns.isSpent) return "the patterns of the document are too large together";
  try {
    if (patterns.sizeOf(text) > MAX_REGEX_INSTRUCTIONS) return "it compiles to too large a program";
    return patterns.isSpent ? "the patterns of the document are too large together" : null;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : "unknown reason";
  }
}
