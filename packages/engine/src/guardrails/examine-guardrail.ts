import { OwnSearches } from "../evaluate/own-findings.ts";
import { PatternSet } from "../evaluate/pattern-set.ts";
import { TextWork } from "../evaluate/text-work.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { refuse } from "../validate/expect.ts";
import { trySamples } from "./try-samples.ts";
import type { WrittenGuardrail, WrittenPattern } from "./validate-guardrail.ts";

/** Texts without anything to protect: a pattern that finds something in one finds it in most calls. */
const ORDINARY_TEXTS: readonly string[] = [
  "Please send the report to the whole team before the meeting.",
  "The order was packed in the morning and left the warehouse at noon.",
  "Thank you for the quick answer! Is there more that we can do?",
];

/**
 * What its author learns of a guardrail that has the right form. A stored guardrail is not examined again,
 * so that no later finding takes it out of force.
 */
export function examineGuardrail(node: SourceNode, written: WrittenGuardrail, reporter: Reporter): void {
  if (reporter.hasErrors) return;
  refuseDuplicates(node, reporter);
  trySamples(written, reporter);
  const compiled = new PatternSet();
  for (const pattern of written.patterns) warnOf(pattern, { compiled, allow: written.allow }, reporter);
}

function refuseDuplicates(node: SourceNode, reporter: Reporter): void {
  const list = node.kind === "map" ? node.entries.find(({ key }) => key === "detectors")?.value : undefined;
  if (list?.kind !== "list") return;
  const seen = new Set<unknown>();
  for (const item of list.items) {
    if (item.kind !== "scalar") continue;
    if (seen.has(item.value)) {
      refuse("guardrail/duplicate-detector", item, reporter, {
        message: `the detector ${quoteShort(String(item.value))} is named twice`,
        expected: "each detector once",
        fix: "remove it here",
      });
    }
    seen.add(item.value);
  }
}

function warnOf(
  { name, matches, mustMatch, node }: WrittenPattern,
  { compiled, allow }: { readonly compiled: PatternSet; readonly allow: readonly string[] },
  reporter: Reporter,
): void {
  if (mustMatch.length === 0) {
    refuse("guardrail/untried-pattern", node, reporter, {
      message: `nothing shows that the pattern ${name} finds anything`,
      expected: "must_match beside it, with a text in which it finds something",
      fix: "add must_match: with a text that it is meant for",
    });
  }
  const search = new OwnSearches([{ name, patterns: [matches] }], compiled, new Set(allow));
  const found = ORDINARY_TEXTS.find((text) => search.judge(text, new TextWork()) === "holds");
  if (found === undefined) return;
  refuse("guardrail/finds-ordinary-text", node, reporter, {
    message: `the pattern ${name} finds something in ${JSON.stringify(found)}`,
    expected: "a pattern that finds nothing in an ordinary sentence",
    fix: "make the pattern narrower, and add must_not_match: with texts that must pass",
  });
}
