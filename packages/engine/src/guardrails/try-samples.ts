import { OwnSearches } from "../evaluate/own-findings.ts";
import { PatternSet } from "../evaluate/pattern-set.ts";
import { TextWork } from "../evaluate/text-work.ts";
import type { Reporter } from "../read/reporter.ts";
import { refuse } from "../validate/expect.ts";
import type { WrittenGuardrail, WrittenPattern } from "./validate-guardrail.ts";

/**
 * Tries each pattern on its own samples, with the search that decides calls, and reports each sample that it
 * does not do as it must. What is allowed counts here, too: a sample that is all allowed is not found.
 */
export function trySamples(
  { patterns, allow }: Pick<WrittenGuardrail, "patterns" | "allow">,
  reporter: Reporter,
): void {
  const compiled = new PatternSet();
  const allowed = new Set(allow);
  for (const pattern of patterns) trySamplesOf(pattern, { compiled, allowed }, reporter);
}

function trySamplesOf(
  { name, matches, mustMatch, mustNotMatch }: WrittenPattern,
  { compiled, allowed }: { readonly compiled: PatternSet; readonly allowed: ReadonlySet<string> },
  reporter: Reporter,
): void {
  const search = new OwnSearches([{ name, patterns: [matches] }], compiled, allowed);
  for (const { text, node } of mustMatch) {
    if (search.judge(text, new TextWork()) === "holds") continue;
    refuse("guardrail/sample-differs", node, reporter, {
      message: `the pattern ${name} finds nothing in a text in which it must`,
      expected: "a text in which the pattern finds something",
      fix: "correct the pattern, or move the text to must_not_match",
    });
  }
  for (const { text, node } of mustNotMatch) {
    if (search.judge(text, new TextWork()) === "fails") continue;
    refuse("guardrail/sample-differs", node, reporter, {
      message: `the pattern ${name} finds something in a text in which it must not`,
      expected: "a text in which the pattern finds nothing",
      fix: "make the pattern narrower, or move the text to must_match",
    });
  }
}
